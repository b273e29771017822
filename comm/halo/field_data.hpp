// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_FIELD_DATA_HPP
#define HALOHEAP_COMM_HALO_FIELD_DATA_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/memory/array.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <concepts>
#include <string>

namespace haloheap::comm {

/// A field as an exchange is given it: where it starts, and how many values it has where that can be known. A
/// pointer says nothing of it; of an Array or a View the size is compared with the layout, and both have to
/// be in memory that kernels reach, without gaps between the values.
struct FieldMemory {
  static constexpr grid::Index unknown = -1;

  void* start = nullptr;
  grid::Index size = unknown;  ///< values
  bool reachable = true;       ///< by kernels, as far as that can be known
  bool contiguous = true;      ///< the same

  /// @param name of the field, for the message
  /// @throws UsageError for a field that is null, has not the values of this layout, or has them where
  /// kernels do not reach them or with gaps
  void require(const grid::FieldLayout& layout, const std::string& name) const {
    require(layout.size(), name);
  }
  /// @param values wanted
  void require(grid::Index values, const std::string& name) const;
};

template <class T>
struct FieldData : FieldMemory {
  // None is explicit: fields are given as they are.
  FieldData(T* data) : FieldMemory{data} {}
  FieldData(const memory::Array<T>& array)
      : FieldMemory{array.data(), static_cast<grid::Index>(array.size()), array.kernel_accessible()} {}
  template <class... Properties>
  FieldData(const Kokkos::View<T*, Properties...>& view)
      : FieldMemory{
            view.data(), static_cast<grid::Index>(view.size()),
            Kokkos::SpaceAccessibility<backend::Exec,
                                       typename Kokkos::View<T*, Properties...>::memory_space>::accessible,
            view.span_is_contiguous()} {}
  /// Any other View: says so, where the compiler would list all constructors.
  template <class Data, class... Properties>
  FieldData(const Kokkos::View<Data, Properties...>& /*view*/) {
    static_assert(
        std::same_as<Data, T*>,
        "a field is one array, View<T*>, of the type of the rule's Fields, or View<std::byte*> if these "
        "have several, and of as many values as stencil::array_size<Rule>(layout)");
  }
};

/// The two fields of a double-buffered run, or twice the same.
template <class T>
struct FieldPair {
  FieldData<T> first, second;

  FieldPair(const FieldData<T>& one, const FieldData<T>& other) : first(one), second(other) {}
  FieldPair(const std::array<T*, 2>& fields) : first(fields[0]), second(fields[1]) {}
};

}  // namespace haloheap::comm

#endif
