// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_RESIZE_HPP
#define HALOHEAP_CORE_MEMORY_RESIZE_HPP

#include <haloheap/core/memory/space.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace haloheap::memory {

/// The resource that holds a View's memory; null for a View that no resource space allocated.
template <class View>
std::shared_ptr<MemoryResource> resource_of(const View& view) {
  return detail::owner_of(view.data());
}

namespace detail {

/// The space for the successor of `view`: over the same resource, or the default one if `view` holds nothing
/// yet.
template <class View>
typename View::memory_space space_of(const View& view) {
  using Space = typename View::memory_space;
  static_assert(is_resource_space<Space>, "use Kokkos::resize and Kokkos::realloc for the spaces of Kokkos");
  static_assert(View::traits::is_managed, "an unmanaged View does not own the memory that it would resize");
  const auto resource = resource_of(view);
  return resource ? Space(resource) : Space();
}

template <class View, std::size_t... Dimension>
void copy_common(const View& to, const View& from, std::index_sequence<Dimension...>) {
  const auto part = [&](std::size_t d) {
    return std::make_pair(std::size_t{0}, std::min<std::size_t>(to.extent(d), from.extent(d)));
  };
  Kokkos::deep_copy(Kokkos::subview(to, part(Dimension)...), Kokkos::subview(from, part(Dimension)...));
}

}  // namespace detail

/// As Kokkos::resize, but the new memory comes from the resource of the old: keeps what lies in both shapes,
/// the rest is zero. On an exception `view` is unchanged. \throws OutOfMemory
template <class View, class... Extents>
void resize(View& view, Extents... extents) {
  View larger(Kokkos::view_alloc(detail::space_of(view), view.label()), extents...);
  if (view.size() > 0 && larger.size() > 0) {
    detail::copy_common(larger, view, std::make_index_sequence<View::rank()>{});
  }
  view = larger;
}

/// As Kokkos::realloc, but the new memory comes from the resource of the old. The old memory is released
/// first; the new one is zero. On an exception `view` is empty. \throws OutOfMemory
template <class View, class... Extents>
void realloc(View& view, Extents... extents) {
  const auto space = detail::space_of(view);
  const std::string label = view.label();
  view = View();
  view = View(Kokkos::view_alloc(space, label), extents...);
}

}  // namespace haloheap::memory

#endif
