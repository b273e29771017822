// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_PASSES_HPP
#define HALOHEAP_CORE_STENCIL_PASSES_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/grid/boundary.hpp>
#include <haloheap/core/stencil/residual.hpp>

#include <functional>
#include <memory>
#include <span>

namespace haloheap::stencil {

/// One rank's part of a grid.
struct Subdomain {
  grid::FieldLayout layout;  ///< quantities: the fields of all sets
  grid::Triple cells;        ///< the whole grid
  grid::Box own;             ///< this rank's part of it
  bool periodic[3] = {};
  /// Steps that were done before the cycle of steps that is running, in memory that kernels reach; null where
  /// nobody keeps count.
  const grid::Index* done = nullptr;

  /// See whole_grid.
  grid::Box inside() const { return grid::whole_grid(layout.dims, periodic, cells, own); }
};

/// The kernels of a computation on a subdomain, pass by pass over memory. Fields are told apart by their
/// start alone, and have the subdomain's layout.
template <class T>
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
  virtual void impose(const Exec& exec, T* field, const grid::Box& region, const grid::Box& except,
                      int step) const = 0;

  /// out = what `steps` steps make of `in`, on the cells of disjoint boxes. Reads `in` on each box grown by
  /// steps * radius; of cells outside the grid a single step reads what `impose` has set, several steps none.
  /// Returns before the kernels have run.
  /// @param step the first one, since the cycle began
  /// @param residual of a single step
  virtual void run(const Exec& exec, const T* in, T* out, std::span<const grid::Box> boxes, int step,
                   int steps, const ResidualTarget& residual) const = 0;
};

/// What is computed, as far as it must be known before it is known where.
template <class T>
struct Computation {
  int radius = 1;
  int fields = 1;            ///< values a cell
  int max_fused_steps = 1;   ///< of one pass
  bool uses_step = false;    ///< whether it needs Subdomain::done
  bool has_residual = true;  ///< whether single steps can add to one
  std::function<std::unique_ptr<Passes<T>>(const Subdomain&)> passes;
};

}  // namespace haloheap::stencil

#endif
