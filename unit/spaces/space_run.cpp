// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Compiled twice, for the libraries of each space: what stands here is the same for both.
#include <haloheap/allocators/slab_walk/slab_walk.hpp>
#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/halo/deep_halo.hpp>
#include <haloheap/comm/halo/halo.hpp>
#include <haloheap/comm/solvers/conjugate_gradient.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/memory/space.hpp>
#include <haloheap/unit/spaces/space_run.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::space_run {

using Exec = backend::Exec;

template <class Data>
using View = Kokkos::View<Data, Exec>;

/// Heat that grows.
struct Growth {
  using Fields = stencil::Fields<double>;
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;
  double number;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const Cell& cell) const {
    const double around = cell(0, -1, 0) + cell(0, 1, 0) + cell(0, 0, -1) + cell(0, 0, 1);
    return cell(0) + number * (around - 4 * cell(0)) + 0.1 * cell(0) * (1 - cell(0));
  }
};

/// -laplace + 1, times the square of a cell's width.
struct Screened {
  using Fields = stencil::Fields<double>;
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const Cell& cell) const {
    return 5 * cell(0) - (cell(0, -1, 0) + cell(0, 1, 0) + cell(0, 0, -1) + cell(0, 0, 1));
  }
};

/// A start value that differs from cell to cell.
template <class T>
struct Fill {
  View<T**> field;
  grid::Index x0, y0;

  KOKKOS_FUNCTION void operator()(int y, int x) const {
    field(y, x) = static_cast<T>(((x0 + x) * 7 + (y0 + y) * 13) % 29) / T(31);
  }
};
struct FillCells {
  View<double*> field;
  grid::FieldLayout layout;
  grid::Index x0, y0;

  KOKKOS_FUNCTION void operator()(int y, int x) const {
    field(layout.at({x, y})) = static_cast<double>(((x0 + x) * 7 + (y0 + y) * 13) % 29) / 31;
  }
};
using Cells = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>, Kokkos::IndexType<int>>;

/// The cells of a field of Views, row by row, but for so many on each side.
std::vector<float> on_host(const Exec& exec, const View<float**>& view, std::size_t ghosts) {
  exec.fence("space_run");
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  std::vector<float> cells;
  for (std::size_t y = ghosts; y < host.extent(0) - ghosts; ++y)
    for (std::size_t x = ghosts; x < host.extent(1) - ghosts; ++x) cells.push_back(host(y, x));
  return cells;
}

std::vector<double> own_cells(const Exec& exec, const double* field, const grid::FieldLayout& layout) {
  exec.fence("space_run");
  const std::size_t size = static_cast<std::size_t>(layout.size());
  const auto all = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(),
      Kokkos::View<const double*, typename Exec::memory_space, Kokkos::MemoryUnmanaged>(field, size));
  std::vector<double> own;
  for (grid::Index y = 0; y < layout.own.y; ++y)
    for (grid::Index x = 0; x < layout.own.x; ++x)
      own.push_back(all(static_cast<std::size_t>(layout.at({x, y}))));
  return own;
}

void run_steps(const comm::Communicator& communicator, SpaceRun& run) {
  const Exec exec;
  const auto grid = comm::Grid::make(communicator, {61, 53}, {false, false});
  const auto sides = stencil::SideRules::everywhere(stencil::Outside::mirror(1), 2);
  const auto layout = comm::layout_of<Growth>(grid, 4);
  const auto own = grid.own();
  const View<double*> now("now", layout.size()), next("next", layout.size());
  Kokkos::parallel_for("fill", Cells(exec, {0, 0}, {int(layout.own.y), int(layout.own.x)}),
                       FillCells{now, layout, own.lo.x, own.lo.y});
  exec.fence("fill");
  comm::DeepHalo steps(communicator, grid, Growth{0.2}, sides, {.depth = 4, .fused_steps = 2}, now, next);
  steps.advance(23);
  steps.finish();
  run.steps = own_cells(exec, steps.now(), layout);
}

void run_halo(const comm::Communicator& communicator, SpaceRun& run) {
  const Exec exec;
  const auto grid = comm::Grid::make(communicator, {37, 41});
  const auto own = grid.own();
  const int ny = int(own.extent(1)), nx = int(own.extent(0));
  const View<float**> field("field", 4 + ny, 4 + nx);
  comm::Halo halo(communicator, grid, {field}, {.width = 2, .accumulate = true});
  run.transports = halo.mix();
  Kokkos::parallel_for("fill", Cells(exec, {2, 2}, {2 + ny, 2 + nx}), Fill<float>{field, own.lo.x, own.lo.y});
  halo.begin(exec);
  halo.end(exec);
  run.filled = on_host(exec, field, 0);
  halo.accumulate(exec);
  run.added = on_host(exec, field, 2);
}

void run_solver(const comm::Communicator& communicator, SpaceRun& run) {
  const Exec exec;
  const auto grid = comm::Grid::make(communicator, {30, 25}, {false, false});
  const auto sides = stencil::SideRules::everywhere(stencil::Outside::mirror(1), 2);
  const comm::LinearOperator matrix(communicator, grid, Screened{}, sides);
  const auto layout = matrix.layout();
  const View<double*> b("b", layout.size()), x("x", layout.size());
  const auto own = grid.own();
  Kokkos::parallel_for("fill", Cells(exec, {0, 0}, {int(layout.own.y), int(layout.own.x)}),
                       FillCells{b, layout, own.lo.x, own.lo.y});
  exec.fence("fill");
  comm::ConjugateGradient solver(matrix, {.tolerance = 1e-12}, b, x);
  if (!solver.solve(exec).converged()) throw DeviceError("the solver has not converged");
  run.solution = own_cells(exec, x.data(), layout);
}

void run_container(SpaceRun& run) {
  coherence::Context context;
  coherence::Vector<double> x(context, "x", 1000), y(context, "y", 1000);
  for (coherence::ElementIndex i = 0; i < 1000; ++i) x[i] = double(i % 17);
  for (int turn = 0; turn < 3; ++turn) {
    coherence::map(
        coherence::all_devices, "square", y, KOKKOS_LAMBDA(double a) { return a * a / 16; }, x);
    x[turn] += 0.5;
    coherence::map(
        coherence::all_devices, "back", x, KOKKOS_LAMBDA(double a) { return a + 1; }, y);
  }
  coherence::scan(coherence::all_devices, "scan", coherence::Sum<double>{}, coherence::Scan::inclusive, y, x);
  run.container.push_back(coherence::reduce(coherence::all_devices, "sum", coherence::Sum<double>{}, x));
  run.container.push_back(coherence::map_reduce<double>(
      coherence::all_devices, "squares", coherence::Sum<double>{}, KOKKOS_LAMBDA(double a) { return a * a; },
      x));
  for (coherence::ElementIndex i = 0; i < 1000; ++i) run.container.push_back(x[i] + y[i]);
}

template <class Handle>
struct MakeList {
  Handle memory;
  View<std::uintptr_t*> lists;

  KOKKOS_FUNCTION void operator()(int i) const {
    auto* const list = static_cast<int*>(memory.allocate(sizeof(int) * static_cast<std::size_t>(i + 1)));
    for (int k = 0; list != nullptr && k <= i; ++k) list[k] = k;
    lists(i) = reinterpret_cast<std::uintptr_t>(list);
  }
};
template <class Handle>
struct SumAndFree {
  Handle memory;
  View<std::uintptr_t*> lists;

  KOKKOS_FUNCTION void operator()(int i, long& sum) const {
    auto* const list = reinterpret_cast<int*>(lists(i));
    for (int k = 0; list != nullptr && k <= i; ++k) sum += list[k];
    memory.deallocate(list);
  }
};

void run_heap(SpaceRun& run) {
  const Exec exec;
  const allocators::SlabWalk heap(exec, {.bytes = std::size_t{4} << 20, .label = "lists"});
  const auto memory = heap.handle();
  using Handle = std::decay_t<decltype(memory)>;
  constexpr int count = 200;
  const View<std::uintptr_t*> lists("lists", count);
  Kokkos::parallel_for("make", Kokkos::RangePolicy<Exec>(exec, 0, count), MakeList<Handle>{memory, lists});
  Kokkos::parallel_reduce("sum", Kokkos::RangePolicy<Exec>(exec, 0, count), SumAndFree<Handle>{memory, lists},
                          run.listed);
  if (heap.statistics(exec).in_use != 0) run.listed = -1;
}

void run_error(const comm::Communicator& communicator, SpaceRun& run) {
  try {
    comm::Grid::make(communicator, {0, 5});
  } catch (const Error& error) {
    run.error = error.what();
  }
}

SpaceRun run_all(MPI_Comm comm) {
  const comm::Communicator communicator(comm);
  SpaceRun run;
  run.space = Exec::name();
  run.memory = memory::make_memory_resource("device")->name();
  run_steps(communicator, run);
  run_halo(communicator, run);
  run_solver(communicator, run);
  run_container(run);
  run_heap(run);
  run_error(communicator, run);
  return run;
}

}  // namespace haloheap::space_run

SpaceRun HALOHEAP_SPACE_RUN(MPI_Comm comm) {
  return haloheap::space_run::run_all(comm);
}
