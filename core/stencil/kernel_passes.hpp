// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_KERNEL_PASSES_HPP
#define HALOHEAP_CORE_STENCIL_KERNEL_PASSES_HPP

#include <haloheap/core/stencil/box_kernel.hpp>
#include <haloheap/core/stencil/field_names.hpp>
#include <haloheap/core/stencil/impose_outside.hpp>
#include <haloheap/core/stencil/passes.hpp>
#include <haloheap/core/stencil/residual_kernels.hpp>
#include <haloheap/core/stencil/side_problem.hpp>

#include <memory>

namespace haloheap::stencil {

namespace detail {

/// Adds the squares of what a step has changed. One cell an iteration.
template <class T, int Fields>
struct AddChanges {
  FieldAccess<const T> before, now;
  ResidualTally residual;
  grid::BoxList boxes;

  KOKKOS_FUNCTION void operator()(grid::Index i) const {
    const grid::Triple cell = boxes.cell(i);
    TallySums<ResidualTally> sums(residual);
    HALOHEAP_UNROLL
    for (int field = 0; field < Fields; ++field)
      sums.add(now(field, cell.x, cell.y, cell.z), before(field, cell.x, cell.y, cell.z));
    sums.put(i, residual);
  }
};

template <class Kernel>
class KernelPasses final : public Passes {
 public:
  using T = typename Kernel::Fields::type;
  using Sides = SidesOf<Kernel>;
  using Exec = backend::Exec;

  KernelPasses(const Kernel& kernel, const SideRules& sides, const Subdomain& where)
      : kernel_(kernel), where_(where), edges_(sides, where.inside()) {}

  void impose(const Exec& exec, void* field, const grid::Box& region, const grid::Box& except,
              int step) const override {
    impose_outside(exec,
                   ImposeOutside<Sides>{static_cast<T*>(field), where_.layout, Sides(kernel_),
                                        FrameOf<Sides>(where_, step), edges_},
                   grid::outside_boxes(region, where_.inside(), except));
  }

  void run(const Exec& exec, const void* in, void* out, std::span<const grid::Box> boxes, int step,
           int /*steps*/, const PassTargets& targets) const override {
    const FieldAccess<const T> from{static_cast<const T*>(in), where_.layout};
    const FieldAccess<T> to{static_cast<T*>(out), where_.layout};
    for (const grid::Box& box : boxes) {
      if (box.empty()) continue;
      if constexpr (TakesBoxAndStep<Kernel>)
        kernel_(exec, from, to, box, StepAccess<typename Sides::Constants>(where_, step, Sides::stages));
      else
        kernel_(exec, from, to, box);
    }
    if constexpr (RuleTraits<Sides>::has_residual)
      if (targets.residual.slots != nullptr)
        add_changes(exec, from, {static_cast<const T*>(out), where_.layout}, boxes, targets.residual);
  }

 private:
  /// Once more over memory: what a user's kernel has in registers is not known here.
  void add_changes(const Exec& exec, const FieldAccess<const T>& before, const FieldAccess<const T>& now,
                   std::span<const grid::Box> boxes, const ResidualTarget& residual) const {
    using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<grid::Index>>;
    std::vector<grid::Box> counted;
    for (const grid::Box& box : boxes) counted.push_back(intersect(box, residual.counted));
    grid::for_each_box_list(grid::without_empty(counted), [&](const grid::BoxList& list) {
      backend::parallel_for("haloheap::stencil::kernel_residual",
                            backend::as_kernel_argument(Policy(exec, 0, list.cells())),
                            AddChanges<T, Kernel::Fields::count>{before, now, ResidualTally(residual), list});
    });
  }

  Kernel kernel_;
  Subdomain where_;
  RuleEdges<Sides> edges_;
};

}  // namespace detail

/// What a user's own kernel computes: one step a pass.
/// @throws UsageError if the sides do not fit the fields
template <BoxKernel Kernel>
Computation computation_of(const Kernel& kernel, const SideRules& sides) {
  using Traits = RuleTraits<detail::SidesOf<Kernel>>;
  require_sides(sides, Kernel::dims, field_names<Kernel>(), detail::HasOutside<Kernel>, false);
  return {.radius = Kernel::radius,
          .fields = Kernel::Fields::count,
          .value_bytes = sizeof(typename Kernel::Fields::type),
          .stages = Traits::stages,
          .uses_step = Traits::uses_step,
          .has_residual = Traits::has_residual,
          .passes = [kernel, sides](const Subdomain& where) {
            return std::make_unique<detail::KernelPasses<Kernel>>(kernel, sides, where);
          }};
}

}  // namespace haloheap::stencil

#endif
