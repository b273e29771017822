// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_KINDS_HPP
#define HALOHEAP_CORE_GRID_KINDS_HPP

#include <haloheap/core/base/names.hpp>

namespace haloheap {

enum class StencilShape { star, box };

template <>
inline constexpr auto names_of<StencilShape> =
    name_table<StencilShape>("stencil shape", {{StencilShape::star, "star"}, {StencilShape::box, "box"}});

enum class BoundaryKind {
  periodic,   ///< the grid wraps around
  dirichlet,  ///< cells outside have a fixed value
  neumann,    ///< no flux: cells outside mirror the cells inside, u(-1 - i) = u(i)
};

template <>
inline constexpr auto names_of<BoundaryKind> =
    name_table<BoundaryKind>("boundary condition", {{BoundaryKind::periodic, "periodic"},
                                                    {BoundaryKind::dirichlet, "dirichlet"},
                                                    {BoundaryKind::neumann, "neumann"}});

enum class InitialKind {
  sine,      ///< one discrete eigenmode of the boundary, product of one factor a dimension
  random,    ///< a hash of the global cell number: [0, 1)
  ones,      ///< 1 everywhere ([Valen2023])
  gaussian,  ///< a hill in the middle
};

template <>
inline constexpr auto names_of<InitialKind> = name_table<InitialKind>("initial field",
                                                                      {{InitialKind::sine, "sine"},
                                                                       {InitialKind::random, "random"},
                                                                       {InitialKind::ones, "ones"},
                                                                       {InitialKind::gaussian, "gaussian"}});

}  // namespace haloheap

#endif
