// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_REFERENCE_HPP
#define HALOHEAP_CORE_STENCIL_REFERENCE_HPP

#include <haloheap/core/stencil/initial.hpp>
#include <haloheap/core/stencil/residual.hpp>

#include <vector>

namespace haloheap::stencil {

/// The serial reference: the whole grid on one host thread, no halos, no ranks, no kernels; every neighbour
/// is found by wrapping or mirroring its global coordinates. Slow on purpose: it shares nothing with the code
/// that it checks but the order of summation.
/// @returns values of cell (x, y, z) of quantity q at ((q * nz + z) * ny + y) * nx + x after `steps` steps
template <class T>
std::vector<T> reference_solution(const InitialField& initial, const Stencil& stencil,
                                  const grid::Boundary& boundary, const grid::Triple& cells, int quantities,
                                  grid::Index steps);

/// A residual sum in integers: squares are cut into multiples of the quanta, which are counted. Shares the
/// quanta with the kernels, but neither their pivots nor their sums of floating-point numbers.
class ReferenceResidual {
 public:
  explicit ReferenceResidual(const ResidualScale& scale) : scale_(scale) {}

  /// Within the bound of the scale. @param difference of new and old, as the field's precision rounds it
  void add(double difference);
  ResidualSum sum() const;

 private:
  ResidualScale scale_;
  grid::Index counts_[residual_parts] = {};
};

/// The residual sum of each step over the whole grid.
template <class T>
std::vector<ResidualSum> reference_residuals(const InitialField& initial, const Stencil& stencil,
                                             const grid::Boundary& boundary, const grid::Triple& cells,
                                             int quantities, grid::Index steps, const ResidualScale& scale);

extern template std::vector<float> reference_solution<float>(const InitialField&, const Stencil&,
                                                             const grid::Boundary&, const grid::Triple&, int,
                                                             grid::Index);
extern template std::vector<double> reference_solution<double>(const InitialField&, const Stencil&,
                                                               const grid::Boundary&, const grid::Triple&,
                                                               int, grid::Index);
extern template std::vector<ResidualSum> reference_residuals<float>(const InitialField&, const Stencil&,
                                                                    const grid::Boundary&,
                                                                    const grid::Triple&, int, grid::Index,
                                                                    const ResidualScale&);
extern template std::vector<ResidualSum> reference_residuals<double>(const InitialField&, const Stencil&,
                                                                     const grid::Boundary&,
                                                                     const grid::Triple&, int, grid::Index,
                                                                     const ResidualScale&);

}  // namespace haloheap::stencil

#endif
