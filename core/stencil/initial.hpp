// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_INITIAL_HPP
#define HALOHEAP_CORE_STENCIL_INITIAL_HPP

#include <haloheap/backend/function.hpp>
#include <haloheap/core/base/splitmix64.hpp>
#include <haloheap/core/grid/boundary.hpp>
#include <haloheap/core/stencil/kinds.hpp>
#include <haloheap/core/stencil/stencil.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace haloheap::stencil {

struct Initial {
  InitialKind kind = InitialKind::sine;
  grid::Triple mode{1, 1, 1};  ///< half or whole waves a dimension; quantity q uses mode + q
  std::uint64_t seed = 1;
};

/// [0, 1) from a cell's number and a seed, 24 bits, so that float and double start from equal values.
HALOHEAP_FUNCTION inline double random_value(std::uint64_t seed, const grid::Triple& cells,
                                             const grid::Triple& cell, int quantity) {
  const grid::Index number = cell.x + cells.x * (cell.y + cells.y * (cell.z + cells.z * quantity));
  return static_cast<double>(base::splitmix64(static_cast<std::uint64_t>(number) ^ base::splitmix64(seed)) >>
                             40) *
         0x1p-24;
}

/// The start values of a grid as data: one factor for each global coordinate and quantity, computed once on
/// the host, so that every backend and every rank grid starts from the same bits. u(x, y, z) = fx[x] * fy[y]
/// * fz[z], or a hash.
class InitialField {
 public:
  InitialField(const Initial& initial, const grid::Boundary& boundary, int dims, const grid::Triple& cells,
               int quantities);

  /// Value at a global cell.
  double at(const grid::Triple& cell, int quantity) const;

  const Initial& initial() const { return initial_; }
  const grid::Triple& cells() const { return cells_; }
  /// Factors of one dimension for all global coordinates; empty for random fields.
  std::span<const double> factor(int dim, int quantity) const;

  /// Factor by which each step multiplies the field of `quantity`, if it is an eigenmode of stencil and
  /// boundary: a sine mode, a symmetric stencil, both sides of a dimension alike, Dirichlet sides of value 0
  /// and radius 1.
  std::optional<double> decay(const Stencil& stencil, int quantity) const;

 private:
  double angle(int dim, int quantity) const;

  Initial initial_;
  grid::Boundary boundary_;
  int dims_;
  grid::Triple cells_;
  std::vector<std::vector<double>> factors_;  // [quantity * 3 + dim][coordinate]
};

}  // namespace haloheap::stencil

#endif
