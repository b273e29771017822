// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/stencil/initial.hpp>

#include <cmath>
#include <numbers>

namespace haloheap::stencil {
namespace {

double gaussian(grid::Index i, grid::Index n) {
  const double r = (static_cast<double>(2 * i + 1) - static_cast<double>(n)) / static_cast<double>(n);
  return std::exp(-8.0 * r * r);
}

}  // namespace

InitialField::InitialField(const Initial& initial, const grid::Boundary& boundary, int dims,
                           const grid::Triple& cells, int quantities)
    : initial_(initial), boundary_(boundary), dims_(dims), cells_(cells) {
  if (initial.kind == InitialKind::random) return;
  factors_.resize(static_cast<std::size_t>(quantities) * 3);
  for (int quantity = 0; quantity < quantities; ++quantity)
    for (int dim = 0; dim < 3; ++dim) {
      auto& factor = factors_[static_cast<std::size_t>(quantity * 3 + dim)];
      factor.assign(static_cast<std::size_t>(cells[dim]), 1.0);
      if (dim >= dims || initial.kind == InitialKind::ones) continue;
      const double theta = angle(dim, quantity);
      for (grid::Index i = 0; i < cells[dim]; ++i) {
        const double x = static_cast<double>(i);
        double value = gaussian(i, cells[dim]);
        if (initial.kind == InitialKind::sine)
          value = boundary.low[dim] == grid::BoundaryKind::dirichlet ? std::sin(theta * (x + 1))
                  : boundary.low[dim] == grid::BoundaryKind::neumann ? std::cos(theta * (x + 0.5))
                                                                     : std::sin(theta * x);
        factor[static_cast<std::size_t>(i)] = value;
      }
    }
}

double InitialField::angle(int dim, int quantity) const {
  const double waves = static_cast<double>(initial_.mode[dim] + quantity),
               n = static_cast<double>(cells_[dim]);
  switch (boundary_.low[dim]) {
    case grid::BoundaryKind::dirichlet:
      return std::numbers::pi * waves / (n + 1);
    case grid::BoundaryKind::neumann:
      return std::numbers::pi * waves / n;
    case grid::BoundaryKind::periodic:
      break;
  }
  return 2 * std::numbers::pi * waves / n;
}

double InitialField::at(const grid::Triple& cell, int quantity) const {
  if (initial_.kind == InitialKind::random) return random_value(initial_.seed, cells_, cell, quantity);
  const auto* factor = &factors_[static_cast<std::size_t>(quantity) * 3];
  return factor[0][static_cast<std::size_t>(cell.x)] * factor[1][static_cast<std::size_t>(cell.y)] *
         factor[2][static_cast<std::size_t>(cell.z)];
}

std::optional<double> InitialField::decay(const Stencil& stencil, int quantity) const {
  if (initial_.kind != InitialKind::sine || !stencil.symmetric()) return std::nullopt;
  double angles[3] = {0, 0, 0};
  for (int dim = 0; dim < dims_; ++dim) {
    const grid::BoundaryKind kind = boundary_.low[dim];
    if (boundary_.high[dim] != kind) return std::nullopt;
    if (kind == grid::BoundaryKind::dirichlet && (boundary_.value != 0 || stencil.radius != 1))
      return std::nullopt;
    angles[dim] = angle(dim, quantity);
  }
  return stencil.eigenvalue(angles);
}

std::span<const double> InitialField::factor(int dim, int quantity) const {
  if (factors_.empty()) return {};
  return factors_[static_cast<std::size_t>(quantity * 3 + dim)];
}

}  // namespace haloheap::stencil
