// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_CELL_HPP
#define HALOHEAP_CORE_STENCIL_CELL_HPP

#include <haloheap/core/stencil/rule.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::stencil::detail {

/// Where a subdomain lies in the whole grid, and in time. By value in kernels.
struct Frame {
  grid::Triple first;   ///< the first own cell's place in the whole grid
  grid::Triple period;  ///< cells of the whole grid in dimensions in which it wraps around, else 0
  /// Steps that were done when the cycle of steps began, in memory that kernels reach, as a recorded cycle is
  /// run again and again; null for rules that do not ask.
  const grid::Index* done = nullptr;
  grid::Index step = 0;  ///< since then

  KOKKOS_FORCEINLINE_FUNCTION grid::Index place(int dim, grid::Index local) const {
    grid::Index at = first[dim] + local;
    if (period[dim] > 0) {
      // Never further away than a halo, which is not wider than a subdomain.
      if (at < 0) at += period[dim];
      if (at >= period[dim]) at -= period[dim];
    }
    return at;
  }
  KOKKOS_FORCEINLINE_FUNCTION grid::Index number_of_step() const { return *done + step; }
  KOKKOS_FORCEINLINE_FUNCTION Frame at_level(int level) const {
    Frame later = *this;
    later.step += level;
    return later;
  }
};

/// For rules that ask for neither place nor time.
struct NoFrame {
  NoFrame() = default;
  explicit NoFrame(const Frame& /*frame*/) {}

  KOKKOS_FORCEINLINE_FUNCTION NoFrame at_level(int /*level*/) const { return {}; }
};

template <class Rule>
using FrameOf =
    std::conditional_t<RuleTraits<Rule>::uses_index || RuleTraits<Rule>::uses_step, Frame, NoFrame>;

/// What an update rule is called with. @tparam Neighbours a functor (field, dx, dy, dz)
template <class Rule, class Neighbours>
class Cell {
 public:
  using T = typename RuleTraits<Rule>::T;

  KOKKOS_FORCEINLINE_FUNCTION Cell(const Neighbours& neighbours, const FrameOf<Rule>& frame,
                                   const grid::Triple& local)
      : neighbours_(neighbours), frame_(frame), local_(local) {}

  KOKKOS_FORCEINLINE_FUNCTION T operator()(int field, int dx = 0, int dy = 0, int dz = 0) const {
    return neighbours_(field, dx, dy, dz);
  }
  KOKKOS_FORCEINLINE_FUNCTION grid::Index index(int dim) const {
    static_assert(RuleTraits<Rule>::uses_index, "a rule with uses_index = false does not ask for its place");
    return frame_.place(dim, local_[dim]);
  }
  KOKKOS_FORCEINLINE_FUNCTION grid::Index step() const {
    static_assert(RuleTraits<Rule>::uses_step,
                  "a rule that calls cell.step() says so: static constexpr bool uses_step = true");
    return frame_.number_of_step();
  }

 private:
  const Neighbours& neighbours_;
  const FrameOf<Rule>& frame_;
  grid::Triple local_;
};

/// The new values of one cell.
template <class Rule, class Neighbours>
KOKKOS_FORCEINLINE_FUNCTION auto new_values(const Rule& rule, const Neighbours& neighbours,
                                            const FrameOf<Rule>& frame, const grid::Triple& local) {
  using Traits = RuleTraits<Rule>;
  return as_values<typename Traits::T, Traits::fields>(
      rule(Cell<Rule, Neighbours>(neighbours, frame, local)));
}

}  // namespace haloheap::stencil::detail

#endif
