// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_KERNEL_PASSES_HPP
#define HALOHEAP_CORE_STENCIL_KERNEL_PASSES_HPP

#include <haloheap/core/stencil/impose_outside.hpp>
#include <haloheap/core/stencil/passes.hpp>
#include <haloheap/core/stencil/side_problem.hpp>

#include <concepts>
#include <memory>

namespace haloheap::stencil {

/// The fields of a subdomain for a user's own kernel, by value in it. Cell (0, 0, 0) is the first own one;
/// ghost cells have coordinates below 0 and from layout.own on.
template <class T>
struct FieldAccess {
  T* data;
  grid::FieldLayout layout;

  HALOHEAP_FUNCTION T& operator()(int field, grid::Index x, grid::Index y, grid::Index z = 0) const {
    return data[layout.at({x, y, z}, field)];
  }
};

/// One time step as a function that launches users' own kernels:
///
///     struct Step {
///       using Fields = haloheap::stencil::Fields<double>;
///       static constexpr int dims = 2, radius = 1;
///       void operator()(const Exec& exec, const FieldAccess<const double>& in, const FieldAccess<double>&
///       out,
///                       const haloheap::grid::Box& box) const;
///     };
///
/// It enqueues on `exec` what computes `out` on the cells of `box` (local coordinates), from cells of `in` at
/// most `radius` away, and does not wait. Ghost cells are filled, and cells outside the grid have what the
/// sides say. It is called for several boxes a step, of any size, and must give a cell the same value in
/// each.
template <class Kernel>
concept BoxKernel = detail::NamesFields<Kernel> && detail::SaysItsReach<Kernel> &&
    requires(const Kernel& kernel, const backend::Exec& exec,
             const FieldAccess<const typename Kernel::Fields::type>& in,
             const FieldAccess<typename Kernel::Fields::type>& out, const grid::Box& box) {
  kernel(exec, in, out, box);
};

namespace detail {

/// What is outside the grid depends on a kernel's fields and dimensions alone.
template <class Kernel>
struct SidesOf {
  using Fields = typename Kernel::Fields;
  static constexpr int dims = Kernel::dims, radius = Kernel::radius;
  static constexpr bool uses_index = false;

  template <class Cell>
  HALOHEAP_FUNCTION Values<typename Fields::type, Fields::count> operator()(const Cell&) const {
    return {};
  }
};

template <class Kernel>
class KernelPasses final : public Passes {
 public:
  using T = typename Kernel::Fields::type;
  using Exec = backend::Exec;

  KernelPasses(const Kernel& kernel, const SideRules& sides, const Subdomain& where)
      : kernel_(kernel), layout_(where.layout), edges_(sides, where.inside()), inside_(where.inside()) {}

  void impose(const Exec& exec, void* field, const grid::Box& region, const grid::Box& except,
              int /*step*/) const override {
    impose_outside(exec, ImposeOutside<SidesOf<Kernel>>{static_cast<T*>(field), layout_, {}, {}, edges_},
                   grid::outside_boxes(region, inside_, except));
  }

  void run(const Exec& exec, const void* in, void* out, std::span<const grid::Box> boxes, int /*step*/,
           int /*steps*/, const ResidualTarget& /*residual*/) const override {
    const FieldAccess<const T> from{static_cast<const T*>(in), layout_};
    const FieldAccess<T> to{static_cast<T*>(out), layout_};
    for (const grid::Box& box : boxes)
      if (!box.empty()) kernel_(exec, from, to, box);
  }

 private:
  Kernel kernel_;
  grid::FieldLayout layout_;
  RuleEdges<SidesOf<Kernel>> edges_;
  grid::Box inside_;
};

}  // namespace detail

/// What a user's own kernel computes: one step a pass, and no residual.
/// @throws UsageError if the sides do not fit the fields
template <BoxKernel Kernel>
Computation computation_of(const Kernel& kernel, const SideRules& sides) {
  require_sides(sides, Kernel::dims, Kernel::Fields::count, false, false);
  return {.radius = Kernel::radius,
          .fields = Kernel::Fields::count,
          .value_bytes = sizeof(typename Kernel::Fields::type),
          .has_residual = false,
          .passes = [kernel, sides](const Subdomain& where) {
            return std::make_unique<detail::KernelPasses<Kernel>>(kernel, sides, where);
          }};
}

}  // namespace haloheap::stencil

#endif
