// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_STENCIL_STENCIL_KERNELS_HPP
#define HALOHEAP_UNIT_CORE_STENCIL_STENCIL_KERNELS_HPP

#include <haloheap/core/stencil/stencil_passes.hpp>

#include <Kokkos_Core.hpp>

#include <memory>
#include <span>

namespace haloheap::testing {

/// The kernels of a stencil on one rank's part of a grid.
template <class T>
class StencilKernels {
 public:
  using Exec = Kokkos::DefaultExecutionSpace;

  /// @param cells the whole grid
  /// @param own this rank's part of it
  StencilKernels(const stencil::Stencil& stencil, const grid::FieldLayout& layout,
                 const grid::Boundary& boundary, const grid::Triple& cells, const grid::Box& own)
      : where_{layout,  cells,  own, {boundary.periodic(0), boundary.periodic(1), boundary.periodic(2)},
               nullptr, nullptr},
        passes_(stencil::computation_of<T>(stencil, boundary, layout.quantities).passes(where_)) {}
  /// Of a grid without sides.
  StencilKernels(const stencil::Stencil& stencil, const grid::FieldLayout& layout)
      : StencilKernels(stencil, layout, {}, layout.own, layout.own_box()) {}

  grid::Box inside() const { return where_.inside(); }
  bool fused_residual() const { return passes_->fused_residual(); }

  void impose(const Exec& exec, T* field, const grid::Box& region, const grid::Box& except = {}) const {
    passes_->impose(exec, field, region, except, 0);
  }
  void run(const Exec& exec, const T* in, T* out, std::span<const grid::Box> boxes, int steps = 1,
           const stencil::ResidualTarget& residual = {}) const {
    passes_->run(exec, in, out, boxes, 0, steps, {residual, {}});
  }
  void step(const Exec& exec, const T* in, T* out, const grid::Box& box,
            const stencil::ResidualTarget& residual = {}) const {
    run(exec, in, out, {&box, 1}, 1, residual);
  }

 private:
  stencil::Subdomain where_;
  std::unique_ptr<stencil::Passes> passes_;
};

}  // namespace haloheap::testing

#endif
