// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_PASSES_HPP
#define HALOHEAP_CORE_STENCIL_PASSES_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/stencil/residual.hpp>
#include <haloheap/core/stencil/state_measure.hpp>
#include <haloheap/core/stencil/subdomain.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace haloheap::stencil {

/// What a pass finds out besides what it computes.
struct PassTargets {
  ResidualTarget residual;  ///< of the last step
  MeasureTarget measure;    ///< of the last step, on boxes of own cells
};

/// The kernels of a computation on a subdomain, pass by pass over memory. Fields are told apart by their
/// start alone, and have the subdomain's layout and the computation's type.
class Passes {
 public:
  using Exec = backend::Exec;

  Passes() = default;
  Passes(const Passes&) = delete;
  Passes& operator=(const Passes&) = delete;
  virtual ~Passes() = default;

  /// Before single steps: sets the cells of `region` outside the grid that are not in `except`, from cells
  /// inside.
  /// @param step since the cycle began, from 0 on
  virtual void impose(const Exec& exec, void* field, const grid::Box& region, const grid::Box& except,
                      int step) const = 0;

  /// out = what `steps` steps make of `in`, on the cells of disjoint boxes. Reads `in` on each box grown by
  /// steps * radius; of cells outside the grid a single step reads what `impose` has set, several steps none.
  /// Returns before the kernels have run.
  /// @param step the first one, since the cycle began
  /// @param targets of a residual or of a measure, not of both
  virtual void run(const Exec& exec, const void* in, void* out, std::span<const grid::Box> boxes, int step,
                   int steps, const PassTargets& targets) const = 0;

  /// Whether passes of several steps can add to a residual; those of one can, see Computation::has_residual.
  virtual bool fused_residual() const { return false; }

  /// Whether a pass of so many steps can measure this on the way. Of one set of fields alone.
  virtual bool measures(const StateMeasure& /*measure*/, int /*steps*/) const { return false; }
};

/// What is computed, as far as it must be known before it is known where.
struct Computation {
  int radius = 1;
  int fields = 1;  ///< values a cell
  std::size_t value_bytes = 0;
  int max_fused_steps = 1;   ///< of one pass
  int stages = 1;            ///< of a step
  bool uses_step = false;    ///< whether it needs Subdomain::done
  bool has_residual = true;  ///< whether single steps can add to one
  std::function<std::unique_ptr<Passes>(const Subdomain&)> passes;
};

}  // namespace haloheap::stencil

#endif
