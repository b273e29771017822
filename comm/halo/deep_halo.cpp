// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/halo/deep_halo.hpp>
#include <haloheap/comm/halo/grid_terms.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/kokkos_running.hpp>
#include <haloheap/core/base/report_error.hpp>
#include <haloheap/core/stencil/stencil_passes.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace haloheap::comm {
namespace {

grid::Box grow(grid::Box box, int dims, grid::Index by) {
  for (int dim = 0; dim < dims; ++dim) {
    box.lo[dim] -= by;
    box.hi[dim] += by;
  }
  return box;
}

/// With one pass a cycle, only the halo of `now` is used; with more, those of both fields are.
HaloExchangeConfig with_promise(HaloExchangeConfig config, bool one_pass) {
  config.alternating = one_pass;
  return config;
}

template <class T>
std::vector<Terms::Item> items(const detail::DeepHaloSetup<T>& setup, const DeepHaloConfig& config) {
  std::vector<Terms::Item> all{{"depth", std::to_string(config.depth)},
                               {"fused_steps", std::to_string(config.fused_steps)},
                               {"graph", config.graph ? "yes" : "no"},
                               {"part", std::to_string(static_cast<int>(config.part))}};
  for (const auto& [name, value] : setup.terms) all.push_back({name, value});
  all.push_back({"cells", detail::extent_text(setup.grid.cells)});
  all.push_back(detail::rank_grid_term(setup.grid.topology));
  all.push_back({"quantities", std::to_string(setup.computation.fields)});
  all.push_back({"bytes of a value", std::to_string(sizeof(T))});
  return all;
}

template <class T>
grid::FieldLayout layout_of(const detail::DeepHaloSetup<T>& setup, int depth) {
  return setup.grid.layout(grid::Index{depth} * setup.computation.radius, setup.computation.fields,
                           sizeof(T));
}

/// Made when it is known that what the ranks were given fits.
template <class T>
HaloPlan agreed_plan(const Communicator& communicator, const detail::DeepHaloSetup<T>& setup,
                     const DeepHaloConfig& config, const FieldData<T>& now, const FieldData<T>& next) {
  require_kokkos("DeepHalo");
  HaloPlan plan;
  agree_on(communicator, "DeepHalo", set_up_timeout(config.halo.timeout), [&] {
    setup.check();
    if (config.residual && !setup.computation.has_residual)
      throw UsageError("kernels of one's own have no residual", "no step would be added up",
                       "use an update rule, or no residual");
    require_none(detail::problem_of(setup.grid, setup.facts, config));
    const grid::FieldLayout layout = layout_of(setup, config.depth);
    now.require(layout, "now");
    next.require(layout, "next");
    plan = HaloPlan::make(setup.grid.topology, layout, setup.grid.cells, config.exchange);
    return Terms{items(setup, config), {}};
  });
  return plan;
}

template <class T>
detail::DeepHaloSetup<T> setup_of(const GridProblem& problem) {
  const auto sides = [](const grid::BoundaryKind(&kinds)[3]) {
    return fmt::format("{} {} {}", static_cast<int>(kinds[0]), static_cast<int>(kinds[1]),
                       static_cast<int>(kinds[2]));
  };
  const auto& [stencil, boundary, cells, topology, quantities] = problem;
  return {
      problem.grid(),
      stencil::computation_of<T>(stencil, boundary, quantities),
      detail::facts_of(problem),
      {{"stencil", fmt::format("{}D, shape {}, radius {}, {}", stencil.dims, static_cast<int>(stencil.shape),
                               stencil.radius, fmt::join(stencil.coefficients, " "))},
       {"boundary", fmt::format("{} to {}, {}", sides(boundary.low), sides(boundary.high), boundary.value)}},
      [problem] { require_none(side_problem(problem.boundary, problem.stencil.dims)); }};
}

template <class T>
stencil::Subdomain subdomain_of(const detail::DeepHaloSetup<T>& setup, const grid::FieldLayout& layout,
                                const std::optional<detail::StepCount>& done) {
  const auto& periodic = setup.grid.topology.periodic;
  return {layout,
          setup.grid.cells,
          setup.grid.own(),
          {periodic[0], periodic[1], periodic[2]},
          done ? done->data() : nullptr};
}

std::optional<detail::StepCount> counted(bool wanted) {
  if (!wanted) return std::nullopt;
  return detail::StepCount();
}

}  // namespace

void detail::require_fitting_grid(const Grid& grid, const stencil::SideRules& sides, int dims) {
  require_grid(grid);
  if (grid.dims != dims)
    throw UsageError(fmt::format("a grid of {} dimensions for an update rule of {}", grid.dims, dims), "",
                     "give the grid as many dimensions as the rule");
  for (int dim = 0; dim < dims; ++dim)
    if (sides.periodic(dim) != grid.topology.periodic[dim])
      throw UsageError(fmt::format("the rank grid {} in {}, and the sides given for it say that it {}",
                                   grid.topology.periodic[dim] ? "wraps around" : "ends", "xyz"[dim],
                                   sides.periodic(dim) ? "wraps around" : "ends"),
                       "cells outside the grid would have no value, or two",
                       "make Topology::periodic true just where no sides are given");
}

template <class T>
DeepHalo<T>::DeepHalo(const Communicator& communicator, const GridProblem& problem,
                      const DeepHaloConfig& config, const FieldData<T>& now, const FieldData<T>& next)
    : DeepHalo(communicator, setup_of<T>(problem), config, now, next) {}

template <class T>
DeepHalo<T>::DeepHalo(const Communicator& communicator, const detail::DeepHaloSetup<T>& setup,
                      const DeepHaloConfig& config, const FieldData<T>& now, const FieldData<T>& next)
    : plan_(agreed_plan(communicator, setup, config, now, next)),
      config_(config),
      radius_(setup.computation.radius),
      layout_(layout_of(setup, config.depth)),
      now_(now.data),
      next_(next.data),
      done_(counted(setup.computation.uses_step)),
      inside_(subdomain_of(setup, layout_, done_).inside()),
      passes_(setup.computation.passes(subdomain_of(setup, layout_, done_))),
      timer_(config.phases && !config.graph),
      filled_(static_cast<std::size_t>(config.depth)),
      exchange_(communicator, plan_, setup.grid.topology, ExchangedFields::of<T>(layout_, {now_, next_}),
                with_promise(config_.halo, config.fused_steps == config.depth), timer_) {
  // Whether there is memory, and which neighbours need the host, is a rank's own.
  agree_on(communicator, "DeepHalo", set_up_timeout(config_.halo.timeout), [this]() -> Terms {
    if (config_.residual)
      residuals_.emplace(exchange_.buffers(), config_.depth, *config_.residual, layout_.own_box());
    if (config_.graph && !exchange_.without_host())
      throw UsageError(
          "a graph cannot hold exchanges that need the host (transport: " + exchange_.mix() + ")", "",
          "name a transport that does without it, or use no graph");
    return {};
  });
}

template <class T>
DeepHalo<T>::~DeepHalo() {
  // Peers' memory is unmapped after this: no kernel may still store into it. Each instance is waited for,
  // whatever the other has to say.
  const auto wait = [](const Exec& exec) {
    report_what_throws("DeepHalo::~DeepHalo", [&exec] { exec.fence("haloheap::comm::deep_halo_end"); });
  };
  wait(compute_.exec());
  wait(border_.exec());
  if (!told_) report_what_throws("DeepHalo::~DeepHalo", [this] { exchange_.check(); });
}

/// @throws CommunicationError if a device has given up waiting for a peer
template <class T>
void DeepHalo<T>::check() {
  try {
    exchange_.check();
  } catch (...) {
    told_ = true;
    throw;
  }
}

template <class T>
grid::Box DeepHalo<T>::substep_box(int step, int steps) const {
  // Sub-step `step` (from 1) leaves steps - step more to be fed from its surroundings, but nothing beyond the
  // grid.
  const grid::Index extra = grid::Index{steps - step} * radius_;
  return intersect(grow(layout_.own_box(), layout_.dims, extra), inside_);
}

template <class T>
int DeepHalo<T>::passes(int steps) const {
  return detail::pass_count(steps, config_.fused_steps);
}

template <class T>
detail::Pass DeepHalo<T>::pass(int number, int steps) const {
  return detail::pass_of(number, steps, config_.fused_steps);
}

/// Cells that do not depend on ghost cells of a neighbour after so many passes of a cycle, each as long as
/// the longest, which is the first. On physical sides they reach up to the boundary.
template <class T>
grid::Box DeepHalo<T>::interior_box(int number, int steps) const {
  const grid::Index shrink = grid::Index{number} * pass(1, steps).steps() * radius_;
  grid::Box box = layout_.own_box();
  for (int dim = 0; dim < layout_.dims; ++dim) {
    if (box.lo[dim] > inside_.lo[dim]) box.lo[dim] += shrink;
    if (box.hi[dim] < inside_.hi[dim]) box.hi[dim] -= shrink;
  }
  return box.empty() ? grid::Box{} : box;
}

template <class T>
stencil::ResidualTarget DeepHalo<T>::residual_target(int step) const {
  return residuals_ ? residuals_->target(step - 1) : stencil::ResidualTarget{};
}

template <class T>
void DeepHalo<T>::exchange() {
  exchange_.exchange(compute_.exec(), now_);
}

/// Single steps need the boundary in memory, which is the caller's; fused ones see to it themselves.
template <class T>
void DeepHalo<T>::sweep(const Exec& exec, const T* in, T* out, std::span<const grid::Box> boxes,
                        const detail::Pass& pass) const {
  passes_->run(exec, in, out, boxes, pass.before, pass.steps(), residual_target(pass.after));
}

// Why no value is overwritten that the frame still needs. Let w be radius cells for each step of the longest
// pass. Interior pass k + 1 writes cells at least (k + 1) w away from the neighbours, into the array that
// holds what pass k has read. Frame pass k reads that array less than (k + 1) w from the neighbours. So the
// two fields are enough, however far the interior is ahead. (Passes of fewer steps would need a narrower
// frame, and have the same.)
template <class T>
void DeepHalo<T>::interior_passes(int count, int steps) {
  const Exec& exec = compute_.exec();
  T *in = now_, *out = next_;
  for (int number = 1; number <= count; ++number, std::swap(in, out)) {
    const grid::Box box = interior_box(number, steps);
    const detail::Pass now = pass(number, steps);
    if (number == 2) packed_.wait_on(exec);  // overwrites border cells that `begin` reads
    if (now.steps() == 1 && !box.empty())
      passes_->impose(exec, in, grow(box, layout_.dims, radius_), {}, now.before);
    filled_[static_cast<std::size_t>(number - 1)].record(exec);
    sweep(exec, in, out, {&box, 1}, now);
  }
}

template <class T>
void DeepHalo<T>::frame_passes(int count, int steps) {
  const Exec& exec = border_.exec();
  const grid::Index radius = radius_;
  T *in = now_, *out = next_;
  for (int number = 1; number <= count; ++number, std::swap(in, out)) {
    const detail::Pass now = pass(number, steps);
    const grid::Box box = substep_box(now.after, steps), interior = interior_box(number, steps);
    const grid::Box needs_of_interior = interior.empty() ? grid::Box{} : grow(interior, layout_.dims, radius);
    filled_[static_cast<std::size_t>(number - 1)].wait_on(exec);  // the frame reads those cells too
    if (now.steps() == 1)
      passes_->impose(exec, in, grow(box, layout_.dims, radius), needs_of_interior, now.before);
    sweep(exec, in, out, subtract(box, interior), now);
  }
}

/// Runs the exchange behind the interiors of the first passes.
/// @returns how many
template <class T>
int DeepHalo<T>::overlapped_passes(int steps) {
  const int count = config_.overlap == Overlap::first_step ? 1 : passes(steps);
  // The border packs first and on the high-priority instance, or the interior would keep it waiting.
  computed_.record(compute_.exec());
  computed_.wait_on(border_.exec());
  if (config_.part == Part::all) exchange_.begin(border_.exec(), now_);
  packed_.record(border_.exec());

  timer_.begin(Phase::inner, compute_.exec());
  interior_passes(count, steps);
  timer_.end(Phase::inner, compute_.exec());

  if (config_.part == Part::all) {
    exchange_.end(border_.exec(), now_);
    timer_.begin(Phase::outer, border_.exec());
    frame_passes(count, steps);
    timer_.end(Phase::outer, border_.exec());
  }
  bordered_.record(border_.exec());
  bordered_.wait_on(compute_.exec());
  for (int number = 0; number < count; ++number) swap();
  return count;
}

template <class T>
void DeepHalo<T>::whole_pass(const detail::Pass& pass, int steps) {
  const grid::Box box = substep_box(pass.after, steps);
  if (pass.steps() == 1)
    passes_->impose(compute_.exec(), now_, grow(box, layout_.dims, radius_), {}, pass.before);
  sweep(compute_.exec(), now_, next_, {&box, 1}, pass);
  swap();
}

template <class T>
void DeepHalo<T>::cycle(int steps) {
  int done = 0;
  if (config_.part == Part::exchange) {
    exchange();
    if (passes(steps) % 2 == 1) swap();  // as the passes would
    return;
  }
  if (config_.overlap != Overlap::none)
    done = overlapped_passes(steps);
  else if (config_.part == Part::all)
    exchange();
  if (config_.part == Part::all && done < passes(steps)) {
    timer_.begin(Phase::primary, compute_.exec());
    while (done < passes(steps)) whole_pass(pass(++done, steps), steps);
    timer_.end(Phase::primary, compute_.exec());
  }
  if (residuals_) residuals_->fold(compute_.exec(), steps);
  if (done_) done_->add(compute_.exec(), steps);
}

/// As many pairs of cycles as fit, from the graph: after two cycles the fields have their places again,
/// whether the depth is odd or even.
/// @returns the steps done
template <class T>
grid::Index DeepHalo<T>::replay(grid::Index steps, const std::function<void(grid::Index)>& on_exchange) {
  const grid::Index pair = 2 * grid::Index{config_.depth};
  if (steps < pair) return 0;
  auto graph = graphs_.find(now_);
  if (graph == graphs_.end()) {
    const auto two_cycles = [this] {
      exchange_.forget_last();
      cycle(config_.depth);
      cycle(config_.depth);
    };
    graph = graphs_.emplace(now_, backend::Graph(compute_.exec(), two_cycles)).first;
  }
  grid::Index done = 0;
  for (; done + pair <= steps; done += pair) {
    graph->second.launch(compute_.exec());
    check();
    if (on_exchange) on_exchange(done + pair);
  }
  return done;
}

template <class T>
void DeepHalo<T>::advance(grid::Index steps, const std::function<void(grid::Index)>& on_exchange) {
  const grid::Index cycles = (steps + config_.depth - 1) / config_.depth;
  timer_.reserve(static_cast<std::size_t>(cycles) * (3 * plan_.rounds.size() + 3));
  if (residuals_ && !residuals_->has_room(steps)) finish();  // kernels add to what is about to move
  if (residuals_ && residuals_->reserve(steps)) graphs_.clear();
  grid::Index done = config_.graph ? replay(steps, on_exchange) : 0;
  while (done < steps) {
    const grid::Index now = std::min<grid::Index>(config_.depth, steps - done);
    cycle(static_cast<int>(now));
    check();
    done += now;
    if (on_exchange) on_exchange(done);
  }
}

template <class T>
void DeepHalo<T>::finish() {
  computed_.record(compute_.exec());
  computed_.wait_on_host();
  check();
}

template <class T>
std::vector<stencil::ResidualSum> DeepHalo<T>::residuals() {
  return residuals_ ? residuals_->read() : std::vector<stencil::ResidualSum>{};
}

template <class T>
void DeepHalo<T>::reset_residuals() {
  if (!residuals_) return;
  finish();
  residuals_->reset();
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

}  // namespace haloheap::comm
