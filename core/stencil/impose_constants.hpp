// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_IMPOSE_CONSTANTS_HPP
#define HALOHEAP_CORE_STENCIL_IMPOSE_CONSTANTS_HPP

#include <haloheap/core/stencil/kernel_passes.hpp>

namespace haloheap::stencil {

namespace detail {

/// Has the fields whose cells outside the grid are to be set.
template <class AllFields, int Dims, int Radius>
struct FieldsAlone {
  using Fields = AllFields;
  static constexpr int dims = Dims, radius = Radius;
};

}  // namespace detail

/// Gives cells outside the grid the constants of those that are as far inside, as far as cells inside have
/// them as neighbours. Returns before the kernels have run.
/// @param where with the constants and their layout
template <class Constants, int Dims, int Radius>
void impose_constants(const backend::Exec& exec, const Subdomain& where) {
  using Alone = detail::SidesOf<detail::FieldsAlone<Constants, Dims, Radius>>;
  using C = typename Constants::type;
  SideRules sides;
  for (std::size_t dim = 0; dim < Dims; ++dim)
    if (!where.periodic[dim]) sides.low[dim] = sides.high[dim] = {Outside::mirror()};
  const grid::FieldLayout& layout = where.constants_layout;
  const grid::Box inside = where.inside();
  const grid::Box region =
      intersect(grown(layout.own_box(), Dims, layout.halo.x), grown(inside, Dims, Radius));
  auto* const data = static_cast<C*>(const_cast<void*>(where.constants));
  detail::impose_outside(
      exec, detail::ImposeOutside<Alone>{data, layout, {}, {}, detail::RuleEdges<Alone>(sides, inside)},
      grid::outside_boxes(region, inside, {}));
}

}  // namespace haloheap::stencil

#endif
