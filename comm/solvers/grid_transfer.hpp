// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_GRID_TRANSFER_HPP
#define HALOHEAP_COMM_SOLVERS_GRID_TRANSFER_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/solvers/coarsening.hpp>
#include <haloheap/core/grid/field_layout.hpp>

namespace haloheap::comm::detail {

/// A field of one rank, and which cell of the whole grid its cell (0, 0, 0) is.
template <class T>
struct PlacedField {
  T* data;
  grid::FieldLayout layout;
  grid::Triple first;
};

/// coarse = P' fine in own cells, where P interpolates. Reads the fine field up to two cells away.
template <class T>
void restrict_to(const backend::Exec& exec, const Coarsening& coarsening, const PlacedField<const T>& fine,
                 const PlacedField<T>& coarse);

/// fine += P coarse in a box of local cells, which lie inside the grid.
template <class T>
void add_interpolated(const backend::Exec& exec, const Coarsening& coarsening,
                      const PlacedField<const T>& coarse, const PlacedField<T>& fine, const grid::Box& box);

}  // namespace haloheap::comm::detail

#endif
