// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_CELLS_OF_HPP
#define HALOHEAP_CORE_STENCIL_CELLS_OF_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/stencil/stored_fields.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace haloheap::stencil {

/// The values of one field in the own cells of a subdomain, as (x, y) or (x, y, z). A View of memory that
/// somebody else keeps, not a copy.
template <class Value, int Dims>
using CellsView = Kokkos::View<std::conditional_t<Dims == 2, Value**, Value***>, Kokkos::LayoutStride,
                               typename backend::Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// A field of a rule as a View, for kernels and for Kokkos::deep_copy with Views of the same memory space.
///
///     Kokkos::deep_copy(stencil::cells_of<Flow, Flow::speed>(now, layout), my_view);
///
/// @param data the array of the rule's fields: a pointer, or what has one to give with data()
/// @param layout of its fields, as layout_of<Rule>(grid, depth) says
template <class Rule, int Field = 0, class T>
auto cells_of(T* data, const grid::FieldLayout& layout) {
  auto* const field = field_of<Rule, Field>(data, layout);
  using Cells = CellsView<std::remove_pointer_t<decltype(field_of<Rule, Field>(data, layout))>, Rule::dims>;
  const auto size = [](grid::Index n) { return static_cast<std::size_t>(n); };
  Kokkos::LayoutStride strides(size(layout.own.x), 1, size(layout.own.y), size(layout.pitch));
  if constexpr (Rule::dims == 3)
    strides = Kokkos::LayoutStride(size(layout.own.x), 1, size(layout.own.y), size(layout.pitch),
                                   size(layout.own.z), size(layout.plane));
  return Cells(field + layout.at({0, 0, 0}), strides);
}
template <class Rule, int Field = 0, class Array>
requires requires(const Array& array) {
  array.data();
}
auto cells_of(const Array& array, const grid::FieldLayout& layout) {
  return cells_of<Rule, Field>(array.data(), layout);
}

}  // namespace haloheap::stencil

#endif
