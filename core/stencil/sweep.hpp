// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_SWEEP_HPP
#define HALOHEAP_CORE_STENCIL_SWEEP_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/stencil/residual.hpp>
#include <haloheap/core/stencil/stencil.hpp>

#include <span>

namespace haloheap::stencil {

/// Applies one stencil step to part of a subdomain, for every quantity. Compiled for float and double.
template <class T>
class Sweep {
 public:
  using Exec = backend::Exec;

  /// @throws UsageError if the stencil has no kernel
  Sweep(const Stencil& stencil, const grid::FieldLayout& layout);

  /// out = stencil(in) on the cells of disjoint boxes: one, or several, usually thin ones, in one kernel.
  /// Reads `in` on each box grown by the radius. Returns before the kernel has run. Other cells are left
  /// alone. Adds the squares of what the step changed to `residual`.
  void run(const Exec& exec, const T* in, T* out, std::span<const grid::Box> boxes,
           const ResidualTarget& residual = {}) const;
  void run(const Exec& exec, const T* in, T* out, const grid::Box& box,
           const ResidualTarget& residual = {}) const {
    run(exec, in, out, std::span(&box, 1), residual);
  }

  int radius() const { return stencil_.radius; }

 private:
  Stencil stencil_;
  grid::FieldLayout layout_;
};

extern template class Sweep<float>;
extern template class Sweep<double>;

}  // namespace haloheap::stencil

#endif
