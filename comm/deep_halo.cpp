// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/deep_halo.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/grid/decomposition.hpp>

namespace haloheap {
namespace {

Box grow(Box box, int dims, Index by) {
  for (int dim = 0; dim < dims; ++dim) {
    box.lo[dim] -= by;
    box.hi[dim] += by;
  }
  return box;
}

const GridProblem& checked(const GridProblem& problem) {
  for (int dim = 0; dim < problem.stencil.dims; ++dim) {
    const bool mirrors = problem.boundary.low[dim] == BoundaryKind::neumann ||
                         problem.boundary.high[dim] == BoundaryKind::neumann;
    if (mirrors && problem.cells[dim] < problem.stencil.radius)
      throw UsageError("a Neumann side mirrors more cells than the grid has in that dimension",
                       "the mirror would lie outside the grid", "use a larger grid or a smaller stencil");
  }
  return problem;
}

}  // namespace

Box GridProblem::own() const {
  return subdomain(cells, topology.ranks, topology.coordinates);
}

FieldLayout GridProblem::layout(int depth, std::size_t element_bytes) const {
  const Box box = own();
  return make_field_layout(stencil.dims, {box.extent(0), box.extent(1), box.extent(2)},
                           Index{depth} * stencil.radius, quantities, element_bytes);
}

template <class T>
DeepHalo<T>::DeepHalo(const Communicator& communicator, const GridProblem& problem,
                      const DeepHaloConfig& config, T* now, T* next)
    : problem_(checked(problem)),
      config_(config),
      layout_(problem.layout(config.depth, sizeof(T))),
      now_(now),
      next_(next),
      plan_(HaloPlan::make(problem.topology, layout_, problem.cells, config.exchange)),
      sweep_(problem.stencil, layout_),
      boundary_(problem.boundary, layout_, problem.cells, problem.own()),
      timer_(config.phases),
      exchange_(communicator, plan_, layout_, config.halo, timer_) {}

template <class T>
Box DeepHalo<T>::substep_box(int step, int steps) const {
  // Sub-step `step` (from 1) leaves steps - step more to be fed from its surroundings, but nothing beyond the
  // grid.
  const Index extra = Index{steps - step} * problem_.stencil.radius;
  return intersect(grow(layout_.own_box(), layout_.dims, extra), boundary_.inside());
}

template <class T>
void DeepHalo<T>::first_step_plain(const Box& box) {
  const Exec& exec = compute_.exec();
  exchange_.begin(exec, now_);
  exchange_.end(exec, now_);
  timer_.begin(Phase::primary, exec);
  boundary_.run(exec, now_, grow(box, layout_.dims, problem_.stencil.radius));
  sweep_.run(exec, now_, next_, box);
  timer_.end(Phase::primary, exec);
}

template <class T>
void DeepHalo<T>::first_step_overlapped(const Box& box) {
  const Index radius = problem_.stencil.radius;
  // The border packs first and on the high-priority instance, or the interior would keep it waiting.
  computed_.record(compute_.exec());
  computed_.wait_on(border_.exec());
  exchange_.begin(border_.exec(), now_);

  // Cells that need no ghost cell of a neighbour; on physical sides they reach up to the boundary.
  Box inner = layout_.own_box();
  for (int dim = 0; dim < layout_.dims; ++dim) {
    if (inner.lo[dim] > boundary_.inside().lo[dim]) inner.lo[dim] += radius;
    if (inner.hi[dim] < boundary_.inside().hi[dim]) inner.hi[dim] -= radius;
  }
  const Box needs_of_inner = inner.empty() ? Box{} : grow(inner, layout_.dims, radius);
  timer_.begin(Phase::inner, compute_.exec());
  boundary_.run(compute_.exec(), now_, needs_of_inner);
  filled_.record(compute_.exec());
  sweep_.run(compute_.exec(), now_, next_, inner);
  timer_.end(Phase::inner, compute_.exec());

  exchange_.end(border_.exec(), now_);
  timer_.begin(Phase::outer, border_.exec());
  filled_.wait_on(border_.exec());  // the border reads those cells too
  boundary_.run(border_.exec(), now_, grow(box, layout_.dims, radius), needs_of_inner);
  sweep_.run(border_.exec(), now_, next_, subtract(box, inner));
  timer_.end(Phase::outer, border_.exec());
  bordered_.record(border_.exec());
  bordered_.wait_on(compute_.exec());
}

template <class T>
void DeepHalo<T>::cycle(int steps) {
  if (config_.overlap == Overlap::first_step)
    first_step_overlapped(substep_box(1, steps));
  else
    first_step_plain(substep_box(1, steps));
  swap();
  if (steps == 1) return;
  const Exec& exec = compute_.exec();
  timer_.begin(Phase::primary, exec);
  for (int step = 2; step <= steps; ++step) {
    const Box box = substep_box(step, steps);
    boundary_.run(exec, now_, grow(box, layout_.dims, problem_.stencil.radius));
    sweep_.run(exec, now_, next_, box);
    swap();
  }
  timer_.end(Phase::primary, exec);
}

template <class T>
void DeepHalo<T>::advance(Index steps, const std::function<void(Index)>& on_exchange) {
  const Index cycles = (steps + config_.depth - 1) / config_.depth;
  timer_.reserve(static_cast<std::size_t>(cycles) * (2 * plan_.rounds.size() + 3));
  for (Index done = 0; done < steps;) {
    const Index now = std::min<Index>(config_.depth, steps - done);
    cycle(static_cast<int>(now));
    done += now;
    if (on_exchange) on_exchange(done);
  }
}

template <class T>
void DeepHalo<T>::finish() {
  computed_.record(compute_.exec());
  computed_.wait_on_host();
}

template <class T>
double DeepHalo<T>::redundant_fraction() const {
  double computed = 0;
  for (int step = 1; step <= config_.depth; ++step)
    computed += static_cast<double>(substep_box(step, config_.depth).cells());
  return 1 - config_.depth * static_cast<double>(layout_.own_box().cells()) / computed;
}

template class DeepHalo<float>;
template class DeepHalo<double>;

}  // namespace haloheap
