// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_LANES_SCAN_HPP
#define HALOHEAP_CORE_LANES_SCAN_HPP

#include <haloheap/core/lanes/group.hpp>

namespace haloheap::lanes {

namespace detail {

/// The group is lanes 0 to count - 1.
template <class Lanes, class T>
KOKKOS_FUNCTION T inclusive_sum_of_first_lanes(const Lanes& lanes, T sum, unsigned count) {
  for (unsigned distance = 1; distance < count; distance *= 2) {
    const bool more = lanes.lane() >= distance;
    const T before = lanes.shuffle(sum, more ? lanes.lane() - distance : lanes.lane());
    if (more) sum += before;
  }
  return sum;
}

/// Any group: each lane knows up to which one it has summed, and asks that one for the rest.
template <class Lanes, class T>
KOKKOS_FUNCTION T inclusive_sum_of_any_lanes(const Lanes& lanes, T sum, unsigned count) {
  constexpr unsigned none = ~0U;
  const typename Lanes::Mask below = lanes.mask() & group::below(lanes);
  unsigned next = below == 0 ? none : bits::highest(below);
  for (unsigned summed = 1; summed < count; summed *= 2) {
    const bool more = next != none;
    const unsigned source = more ? next : lanes.lane();
    const T before = lanes.shuffle(sum, source);
    const unsigned after = lanes.shuffle(next, source);
    if (more) {
      sum += before;
      next = after;
    }
  }
  return sum;
}

}  // namespace detail

/// The sum of the values of the group's lanes below this one. All lanes of the group call. As many steps as
/// the number of lanes has bits (5 for a whole warp); a step is one shuffle if the group has no gaps, and two
/// if it has.
template <class Lanes, class T>
KOKKOS_FUNCTION T exclusive_sum(const Lanes& lanes, T value) {
  const auto mask = lanes.mask();
  const unsigned count = group::size(lanes);
  const bool gaps = (mask & (mask + 1)) != 0;
  const T sum = gaps ? detail::inclusive_sum_of_any_lanes(lanes, value, count)
                     : detail::inclusive_sum_of_first_lanes(lanes, value, count);
  return sum - value;
}

}  // namespace haloheap::lanes

#endif
