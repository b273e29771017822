// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_FIELD_VIEW_HPP
#define HALOHEAP_COMM_HALO_FIELD_VIEW_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/value_type.hpp>
#include <haloheap/core/grid/box.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace haloheap::comm {

/// A user's View as Halo is given it: own cells and ghost cells of one field, in any layout. A View converts
/// to it by itself.
///
/// Which index of the View counts what is said by a word with a letter for each index, from the first to the
/// last: x, y and z for the grid's dimensions, q for the quantities of a cell, of which there may be several.
/// Without a word the last index is x, the one before it y, and in three dimensions the one before that z, as
/// in field(y, x); a further index in front counts quantities. This does not depend on the View's layout,
/// which says where in memory values stand: a program that works on a CPU works on a GPU.
///
///     FieldView(density)           // density(y, x) of a grid of two dimensions
///     FieldView(momentum, "xyzq")  // momentum(x, y, z, component)
///     FieldView(stress, "yxqq")    // stress(y, x, row, column)
///
/// The View must live as long as whoever uses this.
struct FieldView {
  void* data = nullptr;
  std::size_t element_bytes = 0;
  std::vector<grid::Index> extents, strides;  ///< an index; strides in values
  std::string indices;                        ///< the word, or nothing
  std::string label;
  ValueType type = ValueType::bytes;
  bool reachable = true;  ///< by kernels

  /// @param view of rank 2 to 5 of trivially copyable values
  template <class Data, class... Properties>
  FieldView(const Kokkos::View<Data, Properties...>& view, std::string word = "")
      : data(const_cast<std::remove_const_t<typename Kokkos::View<Data, Properties...>::value_type>*>(
            view.data())),
        element_bytes(sizeof(typename Kokkos::View<Data, Properties...>::value_type)),
        indices(std::move(word)),
        label(view.label()),
        type(value_type_of<typename Kokkos::View<Data, Properties...>::value_type>()),
        reachable(Kokkos::SpaceAccessibility<
                  backend::Exec, typename Kokkos::View<Data, Properties...>::memory_space>::accessible) {
    using View = Kokkos::View<Data, Properties...>;
    static_assert(
        View::rank >= 2 && View::rank <= 5,
        "a View in a halo has an index for each of two or three dimensions, and perhaps some for quantities");
    static_assert(std::is_trivially_copyable_v<typename View::value_type>,
                  "the values of a View in a halo are copied as bytes: they are trivially copyable");
    static_assert(!std::is_const_v<typename View::value_type>,
                  "the ghost cells of a View in a halo are written: its values are not const");
    for (std::size_t index = 0; index < View::rank; ++index) {
      extents.push_back(static_cast<grid::Index>(view.extent(index)));
      strides.push_back(static_cast<grid::Index>(view.stride(index)));
    }
  }
};

}  // namespace haloheap::comm

#endif
