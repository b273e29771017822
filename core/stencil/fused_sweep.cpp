// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/backend/launch.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/stencil/fused_planes_launch.hpp>
#include <haloheap/core/stencil/fused_slabs.hpp>
#include <haloheap/core/stencil/fused_strips_launch.hpp>
#include <haloheap/core/stencil/fused_sweep.hpp>
#include <haloheap/core/stencil/with_points.hpp>

#include <fmt/format.h>

#include <vector>

namespace haloheap::stencil {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using backend::kernels_on_host;

template <class T, class Points>
void run_on_host(const detail::FusedTask<T>& task, const grid::Box& box) {
  const grid::FieldLayout& layout = task.layout;
  const detail::SlabNeeds needs{Points::dims,      Points::radius,          task.steps,
                                layout.quantities, task.exec.concurrency(), sizeof(T)};
  const detail::SlabTiling tiling = detail::choose_slab_tiling(box, needs);
  using Kernel = detail::FusedSlabs<T, Points>;
  const Kernel kernel{task.in,    task.out, layout,    detail::Coefficients<T, Points>(task.stencil),
                      task.edges, tiling,   task.steps};
  auto policy = Kokkos::TeamPolicy<Exec>(task.exec, static_cast<int>(tiling.count() * layout.quantities), 1);
  policy.set_scratch_size(1, Kokkos::PerTeam(static_cast<int>(kernel.scratch_bytes() + Kernel::alignment)));
  backend::parallel_for("haloheap::stencil::fused_slabs", policy, kernel);
}

template <class T>
void run_passes(const detail::FusedTask<T>& task) {
  if constexpr (kernels_on_host)
    detail::with_points(task.stencil, [&]<class Points>(Points) {
      for (const grid::Box& box : task.boxes) run_on_host<T, Points>(task, box);
    });
  else if (task.stencil.dims == 2)
    detail::fused_strips(task);
  else
    detail::fused_planes(task);
}

}  // namespace

int max_fused_steps(const Stencil& stencil) {
  if (!stencil_supported(stencil.dims, stencil.shape, stencil.radius)) return 1;
  if (kernels_on_host) return detail::max_fused_slabs;
  return find_stencil(stencil.shape, stencil.radius)->device_steps[stencil.dims - 2];
}

template <class T>
FusedSweep<T>::FusedSweep(const Stencil& stencil, const grid::FieldLayout& layout,
                          const grid::Boundary& boundary, const grid::Box& inside)
    : stencil_(custom_stencil(stencil.dims, stencil.shape, stencil.radius, stencil.coefficients)),
      layout_(layout),
      boundary_(boundary),
      inside_(inside) {}

template <class T>
void FusedSweep<T>::run(const Exec& exec, const T* in, T* out, std::span<const grid::Box> boxes,
                        int steps) const {
  const int maximum = max_fused_steps(stencil_);
  if (steps < 2 || steps > maximum)
    throw UsageError(fmt::format("{} steps of this stencil cannot be made in one pass", steps), "",
                     maximum < 2 ? "use Sweep" : fmt::format("use 2 to {} steps, or Sweep", maximum));
  std::vector<grid::Box> work(boxes.begin(), boxes.end());
  std::erase_if(work, [](const grid::Box& box) { return box.empty(); });
  const detail::GridEdges<T> edges(boundary_, inside_, stencil_.dims);
  run_passes<T>({exec, stencil_, layout_, edges, in, out, work, steps});
}

template class FusedSweep<float>;
template class FusedSweep<double>;

}  // namespace haloheap::stencil
