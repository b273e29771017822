// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/backend/launch.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/core/stencil/fused_planes_launch.hpp>
#include <haloheap/core/stencil/sweep.hpp>
#include <haloheap/core/stencil/sweep_kernels.hpp>
#include <haloheap/core/stencil/sweep_march.hpp>
#include <haloheap/core/stencil/sweep_tiles.hpp>
#include <haloheap/core/stencil/with_points.hpp>

#include <algorithm>

namespace haloheap::stencil {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using backend::kernels_on_host;

// Shapes and block sizes were chosen by measurement on an H200, see docs/results/tuning/2026-11_stencils.md.
// 16 bytes is the widest load. Sweeps on the host use none of this.
template <class T>
[[maybe_unused]] constexpr int width = 16 / sizeof(T);
// With the residual a thread computes more between its loads: more and smaller tiles keep the memory busy.
template <class Points, class Residual>
[[maybe_unused]] constexpr int tile_height = Points::radius > 1 ? 4
                                             : Residual::counts ? 6
                                                                : 8;
template <class Residual>
[[maybe_unused]] constexpr int tile_block = Residual::counts ? 128 : 256;
constexpr int march_height = 2;
constexpr int march_planes = 32;
constexpr int march_block = 128;
constexpr int default_block = 256;

/// Everything a launch needs besides its kernel.
template <class T, class Residual>
struct Task {
  const Exec& exec;
  const Stencil& stencil;
  const grid::FieldLayout& layout;
  const T* in;
  T* out;
  Residual residual;
};

template <int Block, class Kernel>
void launch(const char* label, const Exec& exec, grid::Index iterations, const Kernel& kernel) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<grid::Index>, Kokkos::LaunchBounds<Block>>;
  backend::parallel_for(label, backend::as_kernel_argument(Policy(exec, 0, iterations)), kernel);
}

template <class T, class Points, class Residual>
void sweep_cells(const Task<T, Residual>& task, std::span<const grid::Box> boxes) {
  using Rule = detail::Linear<T, Points>;
  grid::for_each_box_list(boxes, [&](const grid::BoxList& list) {
    const detail::CellSweep<Rule, Residual> kernel{task.in, task.out, task.layout,  Rule(task.stencil),
                                                   {},      list,     task.residual};
    launch<default_block>("haloheap::stencil::sweep_cells", task.exec, list.cells() * task.layout.quantities,
                          kernel);
  });
}

template <class T, class Points, class Residual>
void sweep_rows(const Task<T, Residual>& task, const grid::Box& box) {
  using Rule = detail::Linear<T, Points>;
  const detail::RowSweep<Rule, Residual> kernel{task.in, task.out, task.layout,  Rule(task.stencil),
                                                {},      box,      task.residual};
  launch<default_block>("haloheap::stencil::sweep_rows", task.exec,
                        box.extent(1) * box.extent(2) * task.layout.quantities, kernel);
}

template <class T, class Points, class Residual>
void sweep_tiles(const Task<T, Residual>& task, const grid::Box& box) {
  using Rule = detail::Linear<T, Points>;
  using Kernel = detail::TileSweep<Rule, width<T>, tile_height<Points, Residual>, Residual>;
  const grid::FieldLayout& layout = task.layout;
  const typename Kernel::Tiles tiles(box);
  const Kernel kernel{
      task.in, task.out, layout.origin, layout.pitch, layout.quantity_size, Rule(task.stencil),
      {},      tiles,    task.residual};
  launch<tile_block<Residual>>("haloheap::stencil::sweep_tiles", task.exec,
                               grid::Index{tiles.columns} * tiles.rows * layout.quantities, kernel);
}

template <class T, class Points, class Residual>
void sweep_march(const Task<T, Residual>& task, const grid::Box& box) {
  using Rule = detail::Linear<T, Points>;
  using Kernel = detail::MarchSweep<Rule, width<T>, march_height, Residual>;
  const grid::FieldLayout& layout = task.layout;
  const typename Kernel::Tiles tiles(box);
  const auto chunks = static_cast<unsigned>((box.extent(2) + march_planes - 1) / march_planes);
  const Kernel kernel{task.in,
                      task.out,
                      layout.origin,
                      layout.pitch,
                      layout.plane,
                      layout.quantity_size,
                      Rule(task.stencil),
                      {},
                      tiles,
                      static_cast<int>(box.lo.z),
                      static_cast<int>(box.hi.z),
                      march_planes,
                      chunks,
                      task.residual};
  launch<march_block>("haloheap::stencil::sweep_march", task.exec,
                      grid::Index{tiles.columns} * tiles.rows * chunks * layout.quantities, kernel);
}

/// The boundary is in memory: to the kernels that could impose it, the grid has no sides.
template <class T, class Residual>
void sweep_planes(const Task<T, Residual>& task, const grid::Box& box) {
  const grid::Boundary no_sides;
  const grid::Box anywhere;
  detail::sweep_planes<T>(
      {task.exec, task.stencil, task.layout, no_sides, anywhere, task.in, task.out, {&box, 1}, 1},
      task.residual);
}

template <class T, class Points, class Residual>
void sweep_box(const Task<T, Residual>& task, const grid::Box& box) {
  if constexpr (kernels_on_host)
    sweep_rows<T, Points>(task, box);
  else if constexpr (Points::dims == 2)
    sweep_tiles<T, Points>(task, box);
  else if constexpr (detail::swept_by_planes<Points>)
    sweep_planes(task, box);
  else
    sweep_march<T, Points>(task, box);
}

template <class T, class Points, class Residual>
void sweep_boxes(const Task<T, Residual>& task, std::span<const grid::Box> boxes) {
  if constexpr (kernels_on_host)
    for (const grid::Box& box : boxes) sweep_rows<T, Points>(task, box);
  else
    sweep_cells<T, Points>(task, boxes);
}

/// Calls `visit` with the residual policy of kernels that compute `boxes`.
template <class Visit>
void with_residual(const ResidualTarget& target, std::span<const grid::Box> boxes, Visit&& visit) {
  const auto counts = [&](const grid::Box& box) { return !intersect(box, target.counted).empty(); };
  if (target.slots != nullptr && std::any_of(boxes.begin(), boxes.end(), counts))
    visit(detail::CountResidual(target));
  else
    visit(detail::NoResidual{});
}

}  // namespace

template <class T>
Sweep<T>::Sweep(const Stencil& stencil, const grid::FieldLayout& layout)
    : stencil_(custom_stencil(stencil.dims, stencil.shape, stencil.radius, stencil.coefficients)),
      layout_(layout) {}

template <class T>
void Sweep<T>::run(const Exec& exec, const T* in, T* out, const grid::Box& box,
                   const ResidualTarget& residual) const {
  if (box.empty()) return;
  ResidualTarget inside = residual;  // tiles reach beyond their box
  inside.counted = intersect(box, residual.counted);
  with_residual(inside, {&box, 1}, [&]<class Residual>(const Residual& policy) {
    detail::with_points(stencil_, [&]<class Points>(Points) {
      sweep_box<T, Points>(Task<T, Residual>{exec, stencil_, layout_, in, out, policy}, box);
    });
  });
}

template <class T>
void Sweep<T>::run(const Exec& exec, const T* in, T* out, std::span<const grid::Box> boxes,
                   const ResidualTarget& residual) const {
  with_residual(residual, boxes, [&]<class Residual>(const Residual& policy) {
    detail::with_points(stencil_, [&]<class Points>(Points) {
      sweep_boxes<T, Points>(Task<T, Residual>{exec, stencil_, layout_, in, out, policy}, boxes);
    });
  });
}

template class Sweep<float>;
template class Sweep<double>;

}  // namespace haloheap::stencil
