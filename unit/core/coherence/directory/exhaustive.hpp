// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_EXHAUSTIVE_HPP
#define HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_EXHAUSTIVE_HPP

#include <haloheap/unit/core/coherence/directory/search.hpp>

namespace haloheap::coherence::test {

struct Explored {
  std::size_t states = 0;     ///< that differ in more than version numbers
  std::size_t sequences = 0;  ///< that were tried to reach them
  std::optional<Failure> failure;
};

/// Tries every operation of `operations` in every state that fewer than `length` of them lead to.
Explored explore(const Setting& setting, const std::vector<Operation>& operations, std::size_t length);

/// Each kind of access, in each memory, to each range of a vector.
std::vector<Operation> all_uses(const Setting& setting);

}  // namespace haloheap::coherence::test

#endif
