// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/stencil/reference.hpp>

#include <bit>
#include <cmath>
#include <cstdint>

namespace haloheap::stencil {
namespace {

// Where the value outside the grid at coordinate i comes from: a coordinate inside, or -1 for the Dirichlet
// value.
grid::Index source(grid::Index i, grid::Index n, grid::BoundaryKind low, grid::BoundaryKind high) {
  if (i >= 0 && i < n) return i;
  const grid::BoundaryKind kind = i < 0 ? low : high;
  if (kind == grid::BoundaryKind::dirichlet) return -1;
  if (kind == grid::BoundaryKind::neumann) return i < 0 ? -1 - i : 2 * n - 1 - i;
  return (i % n + n) % n;
}

template <class T>
T value_at(const T* grid, const grid::Triple& cells, const grid::Boundary& boundary,
           const grid::Triple& cell) {
  grid::Triple inside;
  for (int dim = 0; dim < 3; ++dim) {
    inside[dim] = source(cell[dim], cells[dim], boundary.low[dim], boundary.high[dim]);
    if (inside[dim] < 0) return static_cast<T>(boundary.value);
  }
  return grid[(inside.z * cells.y + inside.y) * cells.x + inside.x];
}

template <class T>
void reference_step(const T* in, T* out, const grid::Triple& cells, const grid::Boundary& boundary,
                    const std::vector<grid::Triple>& offsets, const std::vector<T>& coefficients) {
  for (grid::Index z = 0; z < cells.z; ++z)
    for (grid::Index y = 0; y < cells.y; ++y)
      for (grid::Index x = 0; x < cells.x; ++x) {
        T sum{};
        for (std::size_t i = 0; i < offsets.size(); ++i) {
          const grid::Triple neighbour{x + offsets[i].x, y + offsets[i].y, z + offsets[i].z};
          const T value = value_at(in, cells, boundary, neighbour);
          sum = i == 0 ? coefficients[i] * value : std::fma(coefficients[i], value, sum);
        }
        out[(z * cells.y + y) * cells.x + x] = sum;
      }
}

/// Calls `after_step(step, before, now)` with the grids of every step of one quantity, and returns the last.
template <class T, class AfterStep>
std::vector<T> reference_run(const InitialField& initial, const Stencil& stencil,
                             const grid::Boundary& boundary, const grid::Triple& cells, int quantity,
                             grid::Index steps, const AfterStep& after_step) {
  const std::vector<grid::Triple> offsets = stencil.offsets();
  const std::vector<T> coefficients(stencil.coefficients.begin(), stencil.coefficients.end());
  const auto size = static_cast<std::size_t>(product(cells));
  std::vector<T> now(size), next(size);
  std::size_t i = 0;
  for (grid::Index z = 0; z < cells.z; ++z)
    for (grid::Index y = 0; y < cells.y; ++y)
      for (grid::Index x = 0; x < cells.x; ++x) now[i++] = static_cast<T>(initial.at({x, y, z}, quantity));
  for (grid::Index step = 0; step < steps; ++step) {
    reference_step(now.data(), next.data(), cells, boundary, offsets, coefficients);
    now.swap(next);
    after_step(static_cast<std::size_t>(step), next, now);
  }
  return now;
}

}  // namespace

template <class T>
std::vector<T> reference_solution(const InitialField& initial, const Stencil& stencil,
                                  const grid::Boundary& boundary, const grid::Triple& cells, int quantities,
                                  grid::Index steps) {
  std::vector<T> all;
  for (int quantity = 0; quantity < quantities; ++quantity) {
    const auto last = reference_run<T>(initial, stencil, boundary, cells, quantity, steps,
                                       [](std::size_t, const auto&, const auto&) {});
    all.insert(all.end(), last.begin(), last.end());
  }
  return all;
}

void ReferenceResidual::add(double difference) {
  double square = difference * difference;
  for (int part = 0; part < residual_parts; ++part) {
    square = std::bit_cast<double>(std::bit_cast<std::uint64_t>(square) | 1u);  // as in the kernels: no ties
    const double multiples = std::nearbyint(square / scale_.quantum(part));
    counts_[part] += static_cast<grid::Index>(multiples);
    square -= multiples * scale_.quantum(part);
  }
}

ResidualSum ReferenceResidual::sum() const {
  ResidualSum sum;
  for (int part = 0; part < residual_parts; ++part)
    sum.part[part] = static_cast<double>(counts_[part]) * scale_.quantum(part);
  return sum;
}

template <class T>
std::vector<ResidualSum> reference_residuals(const InitialField& initial, const Stencil& stencil,
                                             const grid::Boundary& boundary, const grid::Triple& cells,
                                             int quantities, grid::Index steps, const ResidualScale& scale) {
  std::vector<ReferenceResidual> residuals(static_cast<std::size_t>(steps), ReferenceResidual(scale));
  for (int quantity = 0; quantity < quantities; ++quantity)
    reference_run<T>(initial, stencil, boundary, cells, quantity, steps,
                     [&](std::size_t step, const std::vector<T>& before, const std::vector<T>& now) {
                       for (std::size_t i = 0; i < now.size(); ++i)
                         residuals[step].add(static_cast<double>(now[i] - before[i]));
                     });
  std::vector<ResidualSum> sums;
  for (const ReferenceResidual& residual : residuals) sums.push_back(residual.sum());
  return sums;
}

template std::vector<float> reference_solution<float>(const InitialField&, const Stencil&,
                                                      const grid::Boundary&, const grid::Triple&, int,
                                                      grid::Index);
template std::vector<double> reference_solution<double>(const InitialField&, const Stencil&,
                                                        const grid::Boundary&, const grid::Triple&, int,
                                                        grid::Index);
template std::vector<ResidualSum> reference_residuals<float>(const InitialField&, const Stencil&,
                                                             const grid::Boundary&, const grid::Triple&, int,
                                                             grid::Index, const ResidualScale&);
template std::vector<ResidualSum> reference_residuals<double>(const InitialField&, const Stencil&,
                                                              const grid::Boundary&, const grid::Triple&, int,
                                                              grid::Index, const ResidualScale&);

}  // namespace haloheap::stencil
