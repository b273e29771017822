// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CONTAINERS_HASH_HPP
#define HALOHEAP_ALLOCATORS_CONTAINERS_HASH_HPP

#include <haloheap/core/lanes/bits.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>

namespace haloheap::containers {

/// The hash of integers, which maps take if they are given no other: a functor with this operator.
struct IntegerHash {
  template <std::integral Key>
  KOKKOS_FUNCTION std::uint32_t operator()(Key key) const {
    const auto bits = static_cast<std::uint64_t>(key);
    return lanes::bits::mix(static_cast<std::uint32_t>(bits) +
                            lanes::bits::mix(static_cast<std::uint32_t>(bits >> 32)));
  }
};

}  // namespace haloheap::containers

#endif
