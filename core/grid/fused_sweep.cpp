// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/kernels_on_host.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/grid/fused_slabs.hpp>
#include <haloheap/core/grid/fused_sweep.hpp>
#include <haloheap/core/grid/with_points.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using backend::kernels_on_host;

/// Everything a launch needs besides its kernel.
template <class T>
struct Task {
  const Exec& exec;
  const Stencil& stencil;
  const FieldLayout& layout;
  detail::GridEdges<T> edges;
  const T* in;
  T* out;
  int steps;
};

template <class T, class Points>
void run_on_host(const Task<T>& task, const Box& box) {
  const FieldLayout& layout = task.layout;
  const auto tiling = detail::choose_slab_tiling(
      box, {Points::dims, Points::radius, task.steps, layout.quantities, task.exec.concurrency(), sizeof(T)});
  using Kernel = detail::FusedSlabs<T, Points>;
  const Kernel kernel{task.in,    task.out, layout,    Coefficients<T, Points>(task.stencil),
                      task.edges, tiling,   task.steps};
  auto policy = Kokkos::TeamPolicy<Exec>(task.exec, static_cast<int>(tiling.count() * layout.quantities), 1);
  policy.set_scratch_size(1, Kokkos::PerTeam(static_cast<int>(kernel.scratch_bytes() + Kernel::alignment)));
  Kokkos::parallel_for("haloheap::grid::fused_slabs", policy, kernel);
}

template <class T, class Points>
void run_on_device(const Task<T>&, std::span<const Box>) {
  throw UsageError("no fused kernel for this stencil on this device");
}

}  // namespace

int most_fused_steps(const Stencil& stencil) {
  const bool supported = stencil_supported(stencil.dims, stencil.shape, stencil.radius);
  return kernels_on_host && supported ? detail::most_fused_slabs : 1;
}

template <class T>
FusedSweep<T>::FusedSweep(const Stencil& stencil, const FieldLayout& layout, const Boundary& boundary,
                          const Box& inside)
    : stencil_(custom_stencil(stencil.dims, stencil.shape, stencil.radius, stencil.coefficients)),
      layout_(layout),
      boundary_(boundary),
      inside_(inside) {}

template <class T>
void FusedSweep<T>::run(const Exec& exec, const T* in, T* out, std::span<const Box> boxes, int steps) const {
  const int most = most_fused_steps(stencil_);
  if (steps < 1 || steps > most)
    throw UsageError(fmt::format("{} steps of this stencil cannot be made in one pass", steps), "",
                     fmt::format("use 1 to {} steps", most));
  with_points(stencil_, [&]<class Points>(Points) {
    const Task<T> task{exec, stencil_, layout_, detail::GridEdges<T>(boundary_, inside_, Points::dims),
                       in,   out,      steps};
    if constexpr (kernels_on_host) {
      for (const Box& box : boxes)
        if (!box.empty()) run_on_host<T, Points>(task, box);
    } else {
      run_on_device<T, Points>(task, boxes);
    }
  });
}

template class FusedSweep<float>;
template class FusedSweep<double>;

}  // namespace haloheap
