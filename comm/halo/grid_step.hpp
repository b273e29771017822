// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_GRID_STEP_HPP
#define HALOHEAP_COMM_HALO_GRID_STEP_HPP

#include <haloheap/core/stencil/box_kernel.hpp>
#include <haloheap/core/stencil/rule.hpp>

#include <type_traits>

namespace haloheap::comm {

/// What DeepHalo computes: an update rule, or users' own kernels.
template <class Step>
concept GridStep = stencil::UpdateRule<Step> || stencil::BoxKernel<Step>;

/// One with fields that no step changes.
template <class Step>
concept GridStepWithConstants = GridStep<Step> &&(stencil::detail::ConstantsOfRule<Step>::type::count > 0);

namespace detail {

/// Says in a sentence what a struct lacks that should be a GridStep: of a concept with two alternatives
/// compilers say no more than that neither holds. A class, as the bodies of functions are compiled last.
template <class Step>
struct CheckedStep {
  static constexpr bool mixed_kernel = [] {
    if constexpr (stencil::BoxKernel<Step>)
      return stencil::detail::is_mixed<typename Step::Fields>;
    else
      return false;
  }();
  /// That has what it does not ask for.
  static constexpr bool deaf_kernel = [] {
    if constexpr (stencil::BoxKernel<Step> && !stencil::detail::TakesBoxAndStep<Step>) {
      using Traits = stencil::RuleTraits<stencil::detail::SidesOf<Step>>;
      return Traits::constants > 0 || Traits::uses_step;
    }
    return false;
  }();
  static constexpr bool known =
      stencil::detail::NamesFields<Step> && stencil::detail::SaysItsReach<Step> && !stencil::BoxKernel<Step>;
  static_assert(
      stencil::detail::NamesFields<Step>,
      "an update rule names its fields, in public: using Fields = haloheap::stencil::Fields<float>");
  static_assert(!stencil::detail::NamesFields<Step> || stencil::detail::SaysItsReach<Step>,
                "an update rule says its dimensions, 2 or 3, and how far away its neighbours are at most: "
                "static constexpr int dims = 2, radius = 1");
  static_assert(!known || stencil::detail::TakesCell<Step>,
                "an update rule is called with a cell, and is const: template <class Cell> "
                "KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Cell& cell) const, or in two parts: "
                "begin(below) const and finish(cell, begun) const; kernels of one's own are "
                "void operator()(const Exec&, const FieldAccess<const T>& in, const FieldAccess<T>& out, "
                "const Box&) const, with const StepAccess<...>& as a fifth parameter if they want it");
  static_assert(
      !known || !stencil::detail::TakesCell<Step> || stencil::detail::GivesNewValues<Step>,
      "an update rule returns the new value of its field, or stencil::values(...) with as many values "
      "as it has fields, of their type");
  static_assert(
      !known || !stencil::detail::GivesNewValues<Step> || std::is_trivially_copyable_v<Step>,
      "an update rule is copied into kernels as bytes: it is trivially copyable, and has the pointer "
      "data() of a View in place of the View");
  static_assert(!mixed_kernel,
                "fields of several types are for update rules: kernels of one's own take fields of one type");
  static_assert(!deaf_kernel,
                "a kernel of one's own with constants, stages or the number of the step asks for them with a "
                "fifth parameter: const StepAccess<...>&");
  static constexpr bool passed = GridStep<Step>;
};

}  // namespace detail
}  // namespace haloheap::comm

#endif
