// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/solvers/hpcg_facts.hpp>

#include <cmath>
#include <numbers>

namespace haloheap {

double hpcg_nonzeros(const grid::Triple& cells) {
  double result = 1;
  for (int dim = 0; dim < 3; ++dim) result *= 3 * static_cast<double>(cells[dim]) - 2;
  return result;
}

double hpcg_smallest_eigenvalue(const grid::Triple& cells) {
  double largest = 1;  // of S x S x S
  for (int dim = 0; dim < 3; ++dim)
    largest *= 1 + 2 * std::cos(std::numbers::pi / (static_cast<double>(cells[dim]) + 1));
  return hpcg_diagonal + 1 - largest;
}

HpcgOperations hpcg_operations(const grid::Triple& cells, int iterations) {
  const double n = iterations, rows = static_cast<double>(product(cells));
  HpcgOperations result;
  // Three of each an iteration, and one before the first; a multiplication and an addition for each row.
  result.dots = (3 * n + 1) * 2 * rows;
  result.updates = (3 * n + 1) * 2 * rows;
  result.products = (n + 1) * 2 * hpcg_nonzeros(cells);
  // A symmetric sweep goes twice through the matrix: one before, a residual, and one after; on the coarsest
  // level a single one.
  grid::Triple level = cells;
  for (int i = 1; i < hpcg_levels; ++i) {
    result.multigrid += n * (4 + 2 + 4) * hpcg_nonzeros(level);
    for (int dim = 0; dim < 3; ++dim) level[dim] /= 2;
  }
  result.multigrid += n * 4 * hpcg_nonzeros(level);
  return result;
}

}  // namespace haloheap
