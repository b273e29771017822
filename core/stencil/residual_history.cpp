// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/launch.hpp>
#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/kernel_access.hpp>
#include <haloheap/core/stencil/residual_history.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace haloheap::stencil {
namespace {

constexpr grid::Index set_size = grid::Index{residual_slots} * residual_slot_stride;

/// One part of one set a thread.
struct Fold {
  double* slots;
  grid::Index* cursors;
  double* sums;
  grid::Index capacity;  // steps
  int count;

  KOKKOS_FUNCTION void operator()(int i) const {
    const int set = i / residual_parts, part = i % residual_parts;
    const grid::Index step = cursors[i] + set;
    cursors[i] += count;
    if (set >= count) return;
    double* const slot = slots + set * set_size + part;
    double sum = 0;
    HALOHEAP_UNROLL
    for (int n = 0; n < residual_slots; ++n) sum += slot[n * residual_slot_stride];
    HALOHEAP_UNROLL
    for (int n = 0; n < residual_slots; ++n) slot[n * residual_slot_stride] = 0;
    if (step < capacity) sums[step * residual_parts + part] = sum;
  }
};

int checked_ring(const memory::MemoryResource* memory, int ring) {
  if (ring < 1)
    throw UsageError(fmt::format("a residual history with {} sets of slots", ring),
                     "there is nothing to add to", "use at least one set");
  if (memory != nullptr) memory::require_kernel_access(*memory);
  return ring;
}

}  // namespace

ResidualHistory::ResidualHistory(std::shared_ptr<memory::MemoryResource> memory, int ring,
                                 const ResidualScale& scale, const grid::Box& counted)
    : ring_(checked_ring(memory.get(), ring)),
      scale_(scale),
      counted_(counted),
      rows_(std::move(memory), {"residual", "step"}, static_cast<std::size_t>(ring * set_size),
            static_cast<std::size_t>(ring * residual_parts), residual_parts) {}

ResidualTarget ResidualHistory::target(int k) const {
  if (k < 0 || k >= ring_)
    throw UsageError(fmt::format("set {} of a residual history that has {}", k, ring_),
                     "the sum of the step has no place", "fold before the sets are used up");
  return {rows_.slots() + k * set_size, scale_, counted_};
}

void ResidualHistory::fold(const Exec& exec, int count) const {
  if (count < 0 || count > ring_)
    throw UsageError(fmt::format("{} sets of a residual history that has {}", count, ring_),
                     "the sums of the steps have no place", "fold before the sets are used up");
  if (count == 0) return;
  const Fold kernel{rows_.slots(), rows_.cursors(), rows_.rows(), rows_.capacity(), count};
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
  backend::parallel_for("haloheap::stencil::residual_fold",
                        backend::as_kernel_argument(Policy(exec, 0, ring_ * residual_parts)), kernel);
}

std::vector<ResidualSum> ResidualHistory::read() const {
  const std::vector<double> all = rows_.read();
  std::vector<ResidualSum> sums(all.size() / residual_parts);
  for (std::size_t step = 0; step < sums.size(); ++step)
    std::copy_n(all.data() + step * residual_parts, residual_parts, sums[step].part);
  return sums;
}

}  // namespace haloheap::stencil
