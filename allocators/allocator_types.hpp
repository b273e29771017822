// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_ALLOCATOR_TYPES_HPP
#define HALOHEAP_ALLOCATORS_ALLOCATOR_TYPES_HPP

#include <cstddef>
#include <type_traits>

namespace haloheap::allocators {

/// A list of in-kernel allocators, or of one kind of them.
template <class... Allocators>
struct AllocatorTypes {
  static constexpr std::size_t size = sizeof...(Allocators);

  /// Calls visit.template operator()<A>() for each.
  template <class Visit>
  static void for_each(const Visit& visit) {
    (visit.template operator()<Allocators>(), ...);
  }
};

namespace detail {
template <class... Lists>
struct Joined;
template <class... As>
struct Joined<AllocatorTypes<As...>> {
  using type = AllocatorTypes<As...>;
};
template <class... As, class... Bs, class... Rest>
struct Joined<AllocatorTypes<As...>, AllocatorTypes<Bs...>, Rest...>
    : Joined<AllocatorTypes<As..., Bs...>, Rest...> {};

template <class Taken, class Left, std::size_t number, std::size_t part, std::size_t parts>
struct PartOf;
template <class... Taken, std::size_t number, std::size_t part, std::size_t parts>
struct PartOf<AllocatorTypes<Taken...>, AllocatorTypes<>, number, part, parts> {
  using type = AllocatorTypes<Taken...>;
};
template <class... Taken, class First, class... Rest, std::size_t number, std::size_t part, std::size_t parts>
struct PartOf<AllocatorTypes<Taken...>, AllocatorTypes<First, Rest...>, number, part, parts>
    : PartOf<std::conditional_t<number % parts == part, AllocatorTypes<Taken..., First>,
                                AllocatorTypes<Taken...>>,
             AllocatorTypes<Rest...>, number + 1, part, parts> {};
}  // namespace detail

/// Lists one after the other.
template <class... Lists>
using JoinedAllocators = typename detail::Joined<Lists...>::type;

/// Every `parts`-th of a list, from number `part` on: kernels for all of them take long to compile in one
/// file.
template <class List, std::size_t part, std::size_t parts>
using PartOfAllocators = typename detail::PartOf<AllocatorTypes<>, List, 0, part, parts>::type;

}  // namespace haloheap::allocators

#endif
