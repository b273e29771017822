// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CONTAINERS_HASH_HPP
#define HALOHEAP_ALLOCATORS_CONTAINERS_HASH_HPP

#include <haloheap/core/lanes/bits.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

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

/// What maps need of their keys: a comparison, and a hash, which is a functor without data.
template <class Hash, class Key>
concept HashOf = std::is_empty_v<Hash> && requires(const Key& key) {
  { Hash()(key) } -> std::convertible_to<std::uint32_t>;
  { key == key } -> std::convertible_to<bool>;
};

}  // namespace haloheap::containers

#endif
