// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/grid/boundary.hpp>
#include <haloheap/core/stencil/fused_sweep.hpp>
#include <haloheap/core/stencil/stencil_passes.hpp>
#include <haloheap/core/stencil/sweep.hpp>

namespace haloheap::stencil {
namespace {

template <class T>
class StencilPasses final : public Passes {
 public:
  using Exec = backend::Exec;

  StencilPasses(const Stencil& stencil, const grid::Boundary& boundary, const Subdomain& where)
      : boundary_(boundary, where.layout, where.cells, where.own),
        sweep_(stencil, where.layout),
        fused_(stencil, where.layout, boundary, boundary_.inside()) {}

  void impose(const Exec& exec, void* field, const grid::Box& region, const grid::Box& except,
              int /*step*/) const override {
    boundary_.run(exec, static_cast<T*>(field), region, except);
  }

  void run(const Exec& exec, const void* from, void* to, std::span<const grid::Box> boxes, int /*step*/,
           int steps, const PassTargets& targets) const override {
    const T* const in = static_cast<const T*>(from);
    T* const out = static_cast<T*>(to);
    if (steps > 1)
      fused_.run(exec, in, out, boxes, steps, targets.residual);
    else
      sweep_.run(exec, in, out, boxes, targets.residual);
  }

  bool fused_residual() const override { return fused_.adds_residual(); }

 private:
  grid::BoundaryFill<T> boundary_;
  Sweep<T> sweep_;
  FusedSweep<T> fused_;
};

}  // namespace

template <class T>
Computation computation_of(const Stencil& stencil, const grid::Boundary& boundary, int quantities) {
  return {.radius = stencil.radius,
          .fields = quantities,
          .value_bytes = sizeof(T),
          .max_fused_steps = max_fused_steps(stencil),
          .passes = [stencil, boundary](const Subdomain& where) {
            return std::make_unique<StencilPasses<T>>(stencil, boundary, where);
          }};
}

template Computation computation_of<float>(const Stencil&, const grid::Boundary&, int);
template Computation computation_of<double>(const Stencil&, const grid::Boundary&, int);

}  // namespace haloheap::stencil
