// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_STEP_QUANTITIES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_STEP_QUANTITIES_HPP

#include <haloheap/allocators/random_walk/step_formulas.hpp>
#include <haloheap/miniapp/report/quantities.hpp>

#include <optional>

namespace haloheap {

/// What the formulas of [Pham2022] say beside TAS and WAS.
/// @param of_walk makes what takes a number from a Result of a formula of the demand; `of_bitmap` the same
///        of a formula of demand and bits of a word
/// @param collisions how tables show them
template <class Result, class OfWalk, class OfBitmap>
report::Quantities<Result> beside_steps(const OfWalk& of_walk, const OfBitmap& of_bitmap,
                                        const std::optional<report::Shown>& collisions = {}) {
  namespace formulas = allocators::step_formulas;
  using report::Shown;
  return {
      {{"figures.tas_approximation", "", "TAS, approximation",
        "Of random walks: TAS by equation (2) of [Pham2022], an approximation; infinite where no page is "
        "left.",
        Shown{}},
       of_walk(formulas::random_walk_average_approximation)},
      {{"figures.collisions", "", "collisions",
        "Requests that are expected to meet another one's at a page, N (N - 1) / (2 T) ([Pham2022], section "
        "3.2.2).",
        collisions},
       of_walk(formulas::expected_collisions)},
      {{"figures.collision_bound", "", "collisions at free pages",
        "Those of them that meet at a free page, times A / T: what the formulas leave out at most.",
        collisions},
       of_walk(formulas::collision_bound)},
      {{"figures.tas_limit", "", "TAS, limit",
        "Of bitmaps: what TAS comes to where free pages are few, by theorem 1 of [Pham2022].", Shown{}},
       of_bitmap(formulas::bitmap_average_limit)},
      {{"figures.was_limit", "", "WAS, limit",
        "Of bitmaps: what WAS comes to where few pages are left over, by theorem 2 of [Pham2022].", Shown{}},
       of_bitmap(formulas::bitmap_warp_bound_limit)},
  };
}

}  // namespace haloheap

#endif
