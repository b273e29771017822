// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_HPCG_FACTS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_HPCG_FACTS_HPP

#include <haloheap/core/grid/box.hpp>

namespace haloheap {

/// What the operator has for a cell itself; each of up to 26 neighbours has -1.
inline constexpr double hpcg_diagonal = 26;
/// Of the reference's multigrid method: the grid itself, and three that have half as many cells each.
inline constexpr int hpcg_levels = 4;
/// By which the cells of a rank must be divisible in each dimension.
inline constexpr grid::Index hpcg_divisor = grid::Index{1} << (hpcg_levels - 1);

/// Numbers of the matrix that are not 0: 27 a row, fewer at the sides.
double hpcg_nonzeros(const grid::Triple& cells);

/// The matrix' smallest eigenvalue. With S = tridiag(1, 1, 1) in each dimension it is 27 - S x S x S, and
/// those of S are 1 + 2 cos(pi k / (n + 1)).
double hpcg_smallest_eigenvalue(const grid::Triple& cells);

/// Floating-point operations of the reference's iterations, as HPCG counts them ([Dongarra2016];
/// ReportResults.cpp of its program, version 3.1): with what comes before the first iteration.
struct HpcgOperations {
  double dots = 0, updates = 0, products = 0, multigrid = 0;

  double total() const { return dots + updates + products + multigrid; }
};
HpcgOperations hpcg_operations(const grid::Triple& cells, int iterations);

}  // namespace haloheap

#endif
