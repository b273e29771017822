// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BASE_CONFIG_PROBLEM_HPP
#define HALOHEAP_CORE_BASE_CONFIG_PROBLEM_HPP

#include <haloheap/core/base/error.hpp>

#include <optional>
#include <string>

namespace haloheap {

/// Why a configuration cannot be: the parts of the error that would be thrown, and the setting to change. The
/// functions that find one are pure, so that whoever has more to say (a deck knows file and key) can ask them
/// before anything is made. @tparam Setting the enumeration of the settings that a library judges
template <class Setting>
struct ConfigProblem {
  Setting setting;
  std::string cause, consequence, remedy;
};

/// @throws UsageError if there is a problem
template <class Setting>
void require_none(const std::optional<ConfigProblem<Setting>>& problem) {
  if (problem) throw UsageError(problem->cause, problem->consequence, problem->remedy);
}

}  // namespace haloheap

#endif
