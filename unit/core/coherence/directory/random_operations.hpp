// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_RANDOM_OPERATIONS_HPP
#define HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_RANDOM_OPERATIONS_HPP

#include <haloheap/unit/core/coherence/directory/operation.hpp>

#include <random>

namespace haloheap::coherence::test {

/// Operations as programs may do them: two uses that are held together do not write what the other uses. (Of
/// uses that stay open the world sees to that.) The same seed makes the same on every machine.
std::vector<Operation> random_operations(const Setting& setting, std::size_t count, unsigned seed);

/// A number below `end`. (Distributions of the standard library differ between libraries.)
inline ElementIndex below(std::mt19937& random, ElementIndex end) {
  return static_cast<ElementIndex>(random() % static_cast<std::uint_fast32_t>(end));
}

Rect random_rect(std::mt19937& random, ElementIndex rows, ElementIndex columns);

}  // namespace haloheap::coherence::test

#endif
