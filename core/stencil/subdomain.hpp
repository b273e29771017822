// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_SUBDOMAIN_HPP
#define HALOHEAP_CORE_STENCIL_SUBDOMAIN_HPP

#include <haloheap/core/grid/boundary.hpp>
#include <haloheap/core/grid/field_layout.hpp>

namespace haloheap::stencil {

/// One rank's part of a grid. Steps are counted in stages here, of which some computations have several a
/// step.
struct Subdomain {
  grid::FieldLayout layout;  ///< quantities: the fields of all sets
  grid::Triple cells;        ///< the whole grid
  grid::Box own;             ///< this rank's part of it
  bool periodic[3] = {};
  /// Steps that were done before the cycle of steps that is running, in memory that kernels reach; null where
  /// nobody keeps count.
  const grid::Index* done = nullptr;
  /// Fields that no step changes, ghost cells and cells outside the grid included, and their layout; null for
  /// computations without.
  const void* constants = nullptr;
  grid::FieldLayout constants_layout = {};

  /// See whole_grid.
  grid::Box inside() const { return grid::whole_grid(layout.dims, periodic, cells, own); }
};

}  // namespace haloheap::stencil

#endif
