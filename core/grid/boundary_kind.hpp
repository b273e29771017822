// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_BOUNDARY_KIND_HPP
#define HALOHEAP_CORE_GRID_BOUNDARY_KIND_HPP

#include <haloheap/core/base/names.hpp>

namespace haloheap::grid {

enum class BoundaryKind {
  periodic,   ///< the grid wraps around
  dirichlet,  ///< cells outside have a fixed value
  neumann,    ///< no flux: cells outside mirror the cells inside, u(-1 - i) = u(i)
};

constexpr auto names_of(BoundaryKind) {
  return name_table<BoundaryKind>("boundary condition", {{BoundaryKind::periodic, "periodic"},
                                                         {BoundaryKind::dirichlet, "dirichlet"},
                                                         {BoundaryKind::neumann, "neumann"}});
}

}  // namespace haloheap::grid

#endif
