// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_STEP_COUNT_HPP
#define HALOHEAP_COMM_HALO_STEP_COUNT_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/grid/box.hpp>
#include <haloheap/core/memory/array.hpp>

namespace haloheap::comm::detail {

/// How many steps are done, counted by kernels: also those of a recorded cycle see another number each time
/// that it runs.
class StepCount {
 public:
  StepCount();

  /// For kernels.
  const grid::Index* data() const { return done_.data(); }
  void add(const backend::Exec& exec, int steps) const;
  /// Once all that was enqueued is done.
  void reset() const;

 private:
  memory::Array<grid::Index> done_;
};

}  // namespace haloheap::comm::detail

#endif
