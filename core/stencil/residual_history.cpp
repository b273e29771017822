// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/launch.hpp>
#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/kernel_access.hpp>
#include <haloheap/core/stencil/residual_history.hpp>

#include <fmt/format.h>

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
    : memory_(std::move(memory)),
      ring_(checked_ring(memory_.get(), ring)),
      scale_(scale),
      counted_(counted),
      slots_(memory_, "haloheap::stencil::residual_slots", static_cast<std::size_t>(ring * set_size)),
      cursors_(memory_, "haloheap::stencil::residual_cursors",
               static_cast<std::size_t>(ring * residual_parts)),
      sums_(memory_, "haloheap::stencil::residual_sums", 0) {
  reset();
}

bool ResidualHistory::has_room(grid::Index steps) const {
  return static_cast<std::size_t>(reserved_ + steps) * residual_parts <= sums_.size();
}

bool ResidualHistory::reserve(grid::Index steps) {
  const bool room = has_room(steps);
  reserved_ += steps;
  if (room) return false;
  const std::vector<ResidualSum> kept = read();
  sums_ = memory::Array<double>(memory_, "haloheap::stencil::residual_sums",
                                static_cast<std::size_t>(reserved_) * residual_parts);
  copy(sums_.data(), kept.empty() ? nullptr : kept.front().part, kept.size() * residual_parts);
  return true;
}

ResidualTarget ResidualHistory::target(int k) const {
  if (k < 0 || k >= ring_)
    throw UsageError(fmt::format("set {} of a residual history that has {}", k, ring_),
                     "the sum of the step has no place", "fold before the sets are used up");
  return {slots_.data() + k * set_size, scale_, counted_};
}

void ResidualHistory::fold(const Exec& exec, int count) const {
  if (count < 0 || count > ring_)
    throw UsageError(fmt::format("{} sets of a residual history that has {}", count, ring_),
                     "the sums of the steps have no place", "fold before the sets are used up");
  if (count == 0) return;
  const Fold kernel{slots_.data(), cursors_.data(), sums_.data(),
                    static_cast<grid::Index>(sums_.size()) / residual_parts, count};
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
  backend::parallel_for("haloheap::stencil::residual_fold",
                        backend::as_kernel_argument(Policy(exec, 0, ring_ * residual_parts)), kernel);
}

std::vector<ResidualSum> ResidualHistory::read() const {
  grid::Index steps = 0;
  copy(&steps, cursors_.data(), 1);
  const grid::Index capacity = static_cast<grid::Index>(sums_.size()) / residual_parts;
  if (steps > capacity)
    throw UsageError(
        fmt::format("{} steps were added to a residual history with room for {}", steps, capacity),
        "the sums of the last steps are lost", "reserve room for all steps before they run");
  std::vector<ResidualSum> sums(static_cast<std::size_t>(steps));
  if (steps > 0) copy(sums.front().part, sums_.data(), sums.size() * residual_parts);
  return sums;
}

void ResidualHistory::reset() {
  reserved_ = 0;
  const std::vector<double> zeros(slots_.size(), 0);
  const std::vector<grid::Index> start(cursors_.size(), 0);
  copy(slots_.data(), zeros.data(), zeros.size());
  copy(cursors_.data(), start.data(), start.size());
}

template <class T>
void ResidualHistory::copy(T* to, const T* from, std::size_t count) const {
  if (count == 0) return;
  backend::copy_async(copies_.exec(), to, from, count * sizeof(T));
  backend::Event done;
  done.record(copies_.exec());
  done.wait_on_host();
}

}  // namespace haloheap::stencil
