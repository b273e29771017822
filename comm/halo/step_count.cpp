// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/launch.hpp>
#include <haloheap/comm/halo/step_count.hpp>
#include <haloheap/comm/upload.hpp>
#include <haloheap/core/memory/registry.hpp>

namespace haloheap::comm::detail {
namespace {

struct AddSteps {
  grid::Index* done;
  int steps;

  KOKKOS_FUNCTION void operator()(int) const { *done += steps; }
};

}  // namespace

StepCount::StepCount()
    : done_(memory::make_array<grid::Index>(memory::make_memory_resource("device"),
                                            "haloheap::comm::steps_done", 1)) {
  reset();
}

void StepCount::reset() const {
  upload(done_, std::vector<grid::Index>{0});
}

void StepCount::add(const backend::Exec& exec, int steps) const {
  backend::parallel_for("haloheap::comm::count_steps",
                        Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<int>>(exec, 0, 1),
                        AddSteps{done_.data(), steps});
}

}  // namespace haloheap::comm::detail
