// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_STEPS_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_STEPS_HPP

#include <Kokkos_Core.hpp>

namespace haloheap::allocators::detail {

/// Stands where a counter of steps may stand and counts nothing: allocate(bytes) costs nothing for that
/// allocate(bytes, steps) counts.
struct NoSteps {
  KOKKOS_FUNCTION NoSteps& operator++() { return *this; }
};

}  // namespace haloheap::allocators::detail

#endif
