// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_SEARCH_HPP
#define HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_SEARCH_HPP

#include <haloheap/unit/core/coherence/directory/operation.hpp>

#include <optional>
#include <string>
#include <vector>

namespace haloheap::coherence::test {

/// A sequence of operations after which something is not as it must be.
struct Failure {
  Setting setting;
  std::vector<Operation> operations;
  std::string what;

  /// The body of a test that shows it.
  std::string code() const;
};

/// Does the operations in a new world.
std::optional<Failure> run(const Setting& setting, const std::vector<Operation>& operations);

/// Drops operations and makes the others simpler as long as some failure remains.
Failure shrink(const Failure& failure);

/// All kinds of worlds: policies, links, vectors and matrices, with and without limits, at once and later.
std::vector<Setting> all_settings();

/// The first failure of random operations, shrunk; `most` sequences, one after the other in each setting.
std::optional<Failure> search(const std::vector<Setting>& settings, unsigned maximum, std::size_t length);

}  // namespace haloheap::coherence::test

#endif
