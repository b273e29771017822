// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_LANES_GROUP_HPP
#define HALOHEAP_CORE_LANES_GROUP_HPP

#include <haloheap/core/lanes/bits.hpp>

/// What groups of lanes (core/lanes/platform.hpp) are asked for beyond what hardware has. All lanes of a
/// group call together.
namespace haloheap::lanes::group {

/// The lanes below this one.
template <class Lanes>
KOKKOS_FUNCTION typename Lanes::Mask below(const Lanes& lanes) {
  return bits::low<typename Lanes::Mask>(lanes.lane());
}

/// The group's lanes before this one.
template <class Lanes>
KOKKOS_FUNCTION unsigned rank(const Lanes& lanes) {
  return static_cast<unsigned>(bits::count(lanes.mask() & below(lanes)));
}

template <class Lanes>
KOKKOS_FUNCTION unsigned size(const Lanes& lanes) {
  return static_cast<unsigned>(bits::count(lanes.mask()));
}

/// The number of the set bit that has `rank` set bits below it; `mask` must have that many. By halving, with
/// log2 of the width counts.
template <std::unsigned_integral Mask>
KOKKOS_FUNCTION unsigned nth(Mask mask, unsigned rank) {
  unsigned number = 0;
  for (unsigned width = 4 * sizeof(Mask); width > 0; width /= 2) {
    const auto before = static_cast<unsigned>(bits::count(mask >> number & bits::low<Mask>(width)));
    if (rank < before) continue;
    rank -= before;
    number += width;
  }
  return number;
}

/// One lane's part in a round in which lanes that have something give to lanes that need something.
struct Exchange {
  bool gives, receives;
  unsigned from;  ///< the lane that this one receives from; this one, if it does not
};

/// The first lane of `need` gets from the first of `has`, the second from the second, and so on.
template <class Lanes>
KOKKOS_FUNCTION Exchange exchange(const Lanes& lanes, typename Lanes::Mask has, typename Lanes::Mask need) {
  const auto self = typename Lanes::Mask{1} << lanes.lane();
  const auto givers = bits::count(has & below(lanes)), receivers = bits::count(need & below(lanes));
  const bool gives = (has & self) != 0 && givers < bits::count(need);
  const bool receives = (need & self) != 0 && receivers < bits::count(has);
  return {gives, receives, receives ? nth(has, static_cast<unsigned>(receivers)) : lanes.lane()};
}

}  // namespace haloheap::lanes::group

#endif
