// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_STENCIL_RESIDUAL_SLOTS_HPP
#define HALOHEAP_UNIT_CORE_STENCIL_RESIDUAL_SLOTS_HPP

#include <haloheap/core/stencil/reference.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace haloheap::testing {

/// What kernels add a residual to, where they reach it.
class ResidualSlots {
 public:
  stencil::ResidualTarget target(const stencil::ResidualScale& scale, const grid::Box& counted) const {
    return {slots_.data(), scale, counted};
  }
  /// Of all slots, once the kernels have run.
  stencil::ResidualSum sum() const {
    stencil::ResidualSum sum;
    const auto values = to_host(slots_);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i % stencil::residual_slot_stride < stencil::residual_parts)
        sum.part[i % stencil::residual_slot_stride] += values[i];
      else
        EXPECT_EQ(values[i], 0) << "written between the slots";
    }
    return sum;
  }

 private:
  memory::Array<double> slots_ =
      make_device_array(std::vector<double>(stencil::residual_slots * stencil::residual_slot_stride, 0));
};

/// The sum of squared differences of the cells that are in one of the boxes and in `counted`, by a plain
/// loop.
template <class T>
stencil::ResidualSum sum_of_changes(const grid::FieldLayout& layout, const std::vector<grid::Box>& boxes,
                                    const grid::Box& counted, const std::vector<T>& before,
                                    const std::vector<T>& now, const stencil::ResidualScale& scale) {
  stencil::ReferenceResidual residual(scale);
  for (const grid::Box& box : boxes)
    for (int quantity = 0; quantity < layout.quantities; ++quantity)
      for_each_cell(intersect(box, counted), [&](const grid::Triple& cell) {
        const auto at = static_cast<std::size_t>(layout.at(cell, quantity));
        residual.add(static_cast<double>(now[at] - before[at]));
      });
  return residual.sum();
}

}  // namespace haloheap::testing

#endif
