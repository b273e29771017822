// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_REFERENCE_HPP
#define HALOHEAP_CORE_GRID_REFERENCE_HPP

#include <haloheap/core/grid/initial.hpp>

#include <vector>

namespace haloheap {

/// The serial reference: the whole grid on one host thread, no halos, no ranks, no kernels; every neighbour
/// is found by wrapping or mirroring its global coordinates. Slow on purpose: it shares nothing with the code
/// that it checks but the order of summation.
/// @returns values of cell (x, y, z) of quantity q at ((q * nz + z) * ny + y) * nx + x after `steps` steps
template <class T>
std::vector<T> reference_solution(const InitialField& initial, const Stencil& stencil,
                                  const Boundary& boundary, const Triple& cells, int quantities, Index steps);

extern template std::vector<float> reference_solution<float>(const InitialField&, const Stencil&,
                                                             const Boundary&, const Triple&, int, Index);
extern template std::vector<double> reference_solution<double>(const InitialField&, const Stencil&,
                                                               const Boundary&, const Triple&, int, Index);

}  // namespace haloheap

#endif
