// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_FUSED_SWEEP_HPP
#define HALOHEAP_CORE_STENCIL_FUSED_SWEEP_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/grid/boundary.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/stencil/residual.hpp>
#include <haloheap/core/stencil/stencil.hpp>

#include <span>

namespace haloheap::stencil {

/// The most steps that one pass can make of a stencil, with the default execution space; 1 if it has no such
/// kernel.
int max_fused_steps(const Stencil& stencil);

/// Applies several stencil steps to part of a subdomain in one pass over memory, for every quantity: temporal
/// blocking. A pass streams along the last dimension and keeps the last rows (planes in 3D) of every step in
/// registers, on a host in the cache; the cells that a strip needs of its neighbours it computes itself. The
/// bits are those of single steps. Compiled for float and double.
template <class T>
class FusedSweep {
 public:
  using Exec = backend::Exec;

  /// @param inside the global grid in local coordinates, unbounded in periodic dimensions: see
  /// BoundaryFill::inside
  /// @throws UsageError if the stencil has no kernel
  FusedSweep(const Stencil& stencil, const grid::FieldLayout& layout, const grid::Boundary& boundary,
             const grid::Box& inside);

  /// out = stencil^steps(in) on the cells of the boxes, which are disjoint and inside the grid. Reads `in` on
  /// each box grown by steps * radius, but of cells outside the grid, which are imposed before every step, no
  /// value is used. Returns before the kernels have run. Other cells of `out` are left alone.
  /// @param steps from 2 to max_fused_steps(stencil)
  /// @param residual to which the squares of what the last step changed are added
  /// @throws UsageError for other numbers of steps, and for a residual unless adds_residual()
  void run(const Exec& exec, const T* in, T* out, std::span<const grid::Box> boxes, int steps,
           const ResidualTarget& residual = {}) const;

  /// Not in three dimensions on a device, where the planes of all steps fill the registers.
  bool adds_residual() const;

 private:
  Stencil stencil_;
  grid::FieldLayout layout_;
  grid::Boundary boundary_;
  grid::Box inside_;
};

extern template class FusedSweep<float>;
extern template class FusedSweep<double>;

}  // namespace haloheap::stencil

#endif
