// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/halo/grid_steps.hpp>
#include <haloheap/comm/halo/grid_terms.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/kokkos_running.hpp>
#include <haloheap/core/base/report_error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace haloheap::comm::detail {
namespace {

/// With one pass a cycle, only the halo of `now` is used; with more, those of both fields are.
HaloExchangeConfig with_promise(HaloExchangeConfig config, bool one_pass) {
  config.alternating = one_pass;
  return config;
}

/// What steps are added up, and in which units: where ranks differ, their sums are of different numbers, and
/// their cycles may have different passes, since a step that is added up may be one by itself.
std::string residual_text(const DeepHaloConfig& config) {
  if (!config.residual) return "none";
  return fmt::format("each {}, in units of 2^{}", config.residual_interval,
                     std::ilogb(config.residual->quantum(stencil::residual_parts - 1)));
}

std::vector<Terms::Item> items(const GridComputation& setup, const DeepHaloConfig& config) {
  std::vector<Terms::Item> all{{"depth", std::to_string(config.depth)},
                               {"fused_steps", std::to_string(config.fused_steps)},
                               {"redundant", name_of(config.redundant)},
                               {"graph", config.graph ? "yes" : "no"},
                               {"part", std::to_string(static_cast<int>(config.part))},
                               {"residual", residual_text(config)}};
  for (const auto& [name, value] : setup.terms) all.push_back({name, value});
  all.push_back({"cells", extent_text(setup.grid.cells)});
  all.push_back(rank_grid_term(setup.grid.topology));
  all.push_back({"quantities", std::to_string(setup.computation.fields)});
  all.push_back({"bytes of a value", std::to_string(setup.computation.value_bytes)});
  return all;
}

std::vector<Terms::Item> items(const GridMeasure& measure) {
  std::vector<Terms::Item> all;
  const auto& kinds = measure.measurement.kinds.kinds;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::string value = fmt::format("value {} of the measure", i);
    all.push_back({"what is made of " + value, std::to_string(kinds[i])});
    all.push_back({"the bound of " + value, fmt::format("{}", measure.measurement.bounds[i])});
  }
  return all;
}

grid::FieldLayout layout_of(const GridComputation& setup, int depth) {
  return setup.grid.layout(grid::Index{depth} * setup.computation.radius, setup.computation.fields,
                           setup.computation.value_bytes);
}

/// Values of an array of all fields; bytes, if these have several types.
grid::Index array_size(const GridComputation& setup, const grid::FieldLayout& layout) {
  grid::Index bytes_of_cell = 0;
  for (const StoredField& field : setup.mixed) bytes_of_cell += field.bytes;
  return setup.mixed.empty() ? layout.size() : layout.quantity_size * bytes_of_cell;
}

ExchangedFields exchanged(const GridComputation& setup, const grid::FieldLayout& layout, void* now,
                          void* next) {
  if (setup.mixed.empty())
    return ExchangedFields::of(layout, setup.type, setup.computation.value_bytes, {now}, {next});
  return ExchangedFields::of_mixed(layout, setup.mixed, static_cast<std::byte*>(now),
                                   static_cast<std::byte*>(next));
}

/// Made when it is known that what the ranks were given fits.
HaloPlan agreed_plan(const Communicator& communicator, const GridComputation& setup,
                     const DeepHaloConfig& config, const FieldMemory& now, const FieldMemory& next) {
  require_kokkos("DeepHalo");
  HaloPlan plan;
  agree_on(communicator, "DeepHalo", set_up_timeout(config.halo.timeout), [&] {
    setup.check();
    if (config.residual && !setup.computation.has_residual)
      throw UsageError(
          "only update rules and kernels of one stage, with all fields of float or all of double, have a "
          "residual",
          "no step would be added up", "use such a one, or no residual");
    require_none(problem_of(setup.grid, setup.facts, config));
    const grid::FieldLayout layout = layout_of(setup, config.depth);
    now.require(array_size(setup, layout), "now");
    next.require(array_size(setup, layout), "next");
    if (setup.constants)
      setup.constants->memory.require(setup.constants->layout(setup.grid, layout), "constants");
    if (now.start == next.start)
      throw UsageError("the fields 'now' and 'next' are the same memory",
                       "a step would overwrite what it still has to read", "give two fields");
    plan = HaloPlan::make(setup.grid.topology, layout, setup.grid.cells, config.exchange, config.messages);
    return Terms{items(setup, config), {}};
  });
  return plan;
}

stencil::Subdomain subdomain_of(const GridComputation& setup, const grid::FieldLayout& layout,
                                const std::optional<StepCount>& done) {
  const auto& periodic = setup.grid.topology.periodic;
  return {layout,
          setup.grid.cells,
          setup.grid.own(),
          {periodic[0], periodic[1], periodic[2]},
          done ? done->data() : nullptr,
          setup.constants ? setup.constants->memory.start : nullptr,
          setup.constants ? setup.constants->layout(setup.grid, layout) : grid::FieldLayout{}};
}

std::string constants_text(const GridComputation& setup) {
  if (!setup.constants) return "";
  return fields_text(setup.grid.dims, setup.constants->fields, setup.constants->type);
}

std::optional<StepCount> counted(bool wanted) {
  if (!wanted) return std::nullopt;
  return StepCount();
}

}  // namespace

GridSteps::GridSteps(const Communicator& communicator, const GridComputation& setup,
                     const DeepHaloConfig& config, const FieldMemory& now, const FieldMemory& next)
    : communicator_(communicator),
      grid_(setup.grid),
      plan_(agreed_plan(communicator, setup, config, now, next)),
      config_(config),
      radius_(setup.computation.radius),
      layout_(layout_of(setup, config.depth)),
      now_(now.start),
      next_(next.start),
      done_(counted(setup.computation.uses_step)),
      where_(subdomain_of(setup, layout_, done_)),
      inside_(where_.inside()),
      stages_(setup.computation.stages),
      name_(setup.name),
      fields_(fields_text(setup.grid.dims, setup.computation.fields, setup.type, setup.mixed)),
      constant_fields_(constants_text(setup)),
      passes_(setup.computation.passes(where_)),
      timer_(config.phases && !config.graph),
      filled_(static_cast<std::size_t>(config.depth)),
      exchange_(communicator, plan_, setup.grid.topology, exchanged(setup, layout_, now_, next_),
                with_promise(config_.halo, config.fused_steps == config.depth && !sums_apart()), timer_) {
  // Whether there is memory, and which neighbours need the host, is a rank's own.
  agree_on(communicator, "DeepHalo", set_up_timeout(config_.halo.timeout), [this]() -> Terms {
    if (config_.residual)
      residuals_.emplace(exchange_.buffers(), config_.depth, *config_.residual, layout_.own_box());
    if (config_.graph && !exchange_.without_host())
      throw UsageError(
          "a graph cannot hold exchanges that need the host (transport: " + exchange_.mix() + ")",
          exchange_.why_not_mapped(),
          exchange_.why_not_mapped().empty()
              ? "name a transport that does without it, or use no graph"
              : "give fields in memory that other processes can map (memory::DeviceSpace), or use no graph");
    return {};
  });
  if (!setup.constants) return;
  constants_.emplace(communicator, setup, config_, where_);
  refresh_constants();
}

GridSteps::~GridSteps() {
  // Peers' memory is unmapped after this: no kernel may still store into it. Each instance is waited for,
  // whatever the other has to say.
  const auto wait = [](const Exec& exec) {
    base::report_what_throws("DeepHalo::~DeepHalo", [&exec] { exec.fence("haloheap::comm::deep_halo_end"); });
  };
  wait(compute_.exec());
  wait(border_.exec());
  if (!told_) base::report_what_throws("DeepHalo::~DeepHalo", [this] { exchange_.check(); });
}

/// @throws CommunicationError if a device has given up waiting for a peer
void GridSteps::check() {
  try {
    exchange_.check();
  } catch (...) {
    told_ = true;
    throw;
  }
}

grid::Box GridSteps::substep_box(int step, int steps) const {
  // Sub-step `step` (from 1) leaves steps - step more to be fed from its surroundings, but nothing beyond the
  // grid. Those that compute more have cells at the rim whose neighbours are not known: they come a radius
  // nearer in each sub-step, and not to own cells before the next exchange.
  const bool whole = config_.redundant == Redundant::whole;
  const grid::Index extra = grid::Index{whole ? config_.depth - 1 : steps - step} * radius_;
  return intersect(grown(layout_.own_box(), layout_.dims, extra), inside_);
}

/// Whether a step that is summed is a pass by itself, since passes of several steps cannot sum.
bool GridSteps::sums_apart() const {
  return config_.residual && config_.fused_steps > 1 && !passes_->fused_residual();
}

Cycle GridSteps::cycle_of(int steps, grid::Index after) const {
  return {steps, config_.fused_steps, sums_apart() && (after + steps) % config_.residual_interval == 0,
          measured_within(steps, after)};
}

/// Whether the last pass of the cycle measures, of whose cells all are own ones; else there is a kernel for
/// it behind the cycle. Kernels find one thing on their way, and a residual comes first.
bool GridSteps::measured_within(int steps, grid::Index after) const {
  if (!measure_ || !measure_->due(after + steps) || residuals_) return false;
  if (config_.part != Part::all || config_.redundant != Redundant::shrinking) return false;
  const Cycle cycle{steps, config_.fused_steps};
  return passes_->measures(measure_->measure(), cycle.pass(cycle.passes()).steps());
}

stencil::PassTargets GridSteps::targets(const Pass& pass, const Cycle& cycle) const {
  stencil::PassTargets targets{residual_target(pass.after), {}};
  if (cycle.measured && pass.after == cycle.steps) targets.measure = measure_->target();
  return targets;
}

/// Cells that do not depend on ghost cells of a neighbour after so many passes of a cycle, each as long as
/// the longest, which is the first. On physical sides they reach up to the boundary.
grid::Box GridSteps::interior_box(int number, const Cycle& cycle) const {
  const grid::Index shrink = grid::Index{number} * cycle.pass(1).steps() * radius_;
  grid::Box box = layout_.own_box();
  for (int dim = 0; dim < layout_.dims; ++dim) {
    if (box.lo[dim] > inside_.lo[dim]) box.lo[dim] += shrink;
    if (box.hi[dim] < inside_.hi[dim]) box.hi[dim] -= shrink;
  }
  return box.empty() ? grid::Box{} : box;
}

/// So many of the next steps are summed.
grid::Index GridSteps::summed(grid::Index steps) const {
  if (!residuals_) return 0;
  return (since_ + steps) / config_.residual_interval - since_ / config_.residual_interval;
}

/// Which ones, from 1 on.
std::vector<int> GridSteps::summed_steps(int count) const {
  std::vector<int> steps;
  for (int step = 1; step <= count; ++step)
    if (summed(step) > summed(step - 1)) steps.push_back(step);
  return steps;
}

/// The ones among the next steps after which the fields are measured.
std::vector<int> GridSteps::measured_steps(int count) const {
  std::vector<int> steps;
  for (int step = 1; measure_ && step <= count; ++step)
    if (measure_->due(since_ + step)) steps.push_back(step);
  return steps;
}

stencil::ResidualTarget GridSteps::residual_target(int step) const {
  if (summed(step) == summed(step - 1)) return {};
  return residuals_->target(static_cast<int>(summed(step)) - 1);
}

void GridSteps::exchange() {
  exchange_.exchange(compute_.exec(), now_);
}

/// Single steps need the boundary in memory, which is the caller's; fused ones see to it themselves.
void GridSteps::sweep(const Exec& exec, const void* in, void* out, std::span<const grid::Box> boxes,
                      const Pass& pass, const Cycle& cycle) const {
  passes_->run(exec, in, out, boxes, pass.before, pass.steps(), targets(pass, cycle));
}

// Why no value is overwritten that the frame still needs. Let w be radius cells for each step of the longest
// pass. Interior pass k + 1 writes cells at least (k + 1) w away from the neighbours, into the array that
// holds what pass k has read. Frame pass k reads that array less than (k + 1) w from the neighbours. So the
// two fields are enough, however far the interior is ahead. (Passes of fewer steps would need a narrower
// frame, and have the same.)
void GridSteps::interior_passes(int count, const Cycle& cycle) {
  const Exec& exec = compute_.exec();
  void *in = now_, *out = next_;
  for (int number = 1; number <= count; ++number, std::swap(in, out)) {
    const grid::Box box = interior_box(number, cycle);
    const Pass now = cycle.pass(number);
    if (number == 2) packed_.wait_on(exec);  // overwrites border cells that `begin` reads
    if (now.steps() == 1 && !box.empty())
      passes_->impose(exec, in, grown(box, layout_.dims, radius_), {}, now.before);
    filled_[static_cast<std::size_t>(number - 1)].record(exec);
    sweep(exec, in, out, {&box, 1}, now, cycle);
  }
}

void GridSteps::frame_passes(int count, const Cycle& cycle) {
  const Exec& exec = border_.exec();
  const grid::Index radius = radius_;
  void *in = now_, *out = next_;
  for (int number = 1; number <= count; ++number, std::swap(in, out)) {
    const Pass now = cycle.pass(number);
    const grid::Box box = substep_box(now.after, cycle.steps), interior = interior_box(number, cycle);
    const grid::Box needs_of_interior =
        interior.empty() ? grid::Box{} : grown(interior, layout_.dims, radius);
    filled_[static_cast<std::size_t>(number - 1)].wait_on(exec);  // the frame reads those cells too
    if (now.steps() == 1)
      passes_->impose(exec, in, grown(box, layout_.dims, radius), needs_of_interior, now.before);
    sweep(exec, in, out, subtract(box, interior), now, cycle);
  }
}

/// Runs the exchange behind the interiors of the first passes.
/// @returns how many
int GridSteps::overlapped_passes(const Cycle& cycle) {
  const int count = config_.overlap == Overlap::first_step ? 1 : cycle.passes();
  // The border packs first and on the high-priority instance, or the interior would keep it waiting.
  computed_.record(compute_.exec());
  computed_.wait_on(border_.exec());
  if (config_.part == Part::all) exchange_.begin(border_.exec(), now_);
  packed_.record(border_.exec());

  timer_.begin(Phase::inner, compute_.exec());
  interior_passes(count, cycle);
  timer_.end(Phase::inner, compute_.exec());

  if (config_.part == Part::all) {
    exchange_.end(border_.exec(), now_);
    timer_.begin(Phase::outer, border_.exec());
    frame_passes(count, cycle);
    timer_.end(Phase::outer, border_.exec());
  }
  bordered_.record(border_.exec());
  bordered_.wait_on(compute_.exec());
  for (int number = 0; number < count; ++number) swap();
  return count;
}

void GridSteps::whole_pass(const Pass& pass, const Cycle& cycle) {
  const grid::Box box = substep_box(pass.after, cycle.steps);
  if (pass.steps() == 1)
    passes_->impose(compute_.exec(), now_, grown(box, layout_.dims, radius_), {}, pass.before);
  sweep(compute_.exec(), now_, next_, {&box, 1}, pass, cycle);
  swap();
}

void GridSteps::run(const Cycle& cycle) {
  int done = 0;
  if (config_.part == Part::exchange) {
    since_ += cycle.steps;
    exchange();
    if (cycle.passes() % 2 == 1) swap();  // as the passes would
    return;
  }
  if (config_.overlap != Overlap::none)
    done = overlapped_passes(cycle);
  else if (config_.part == Part::all)
    exchange();
  if (config_.part == Part::all && done < cycle.passes()) {
    timer_.begin(Phase::primary, compute_.exec());
    while (done < cycle.passes()) whole_pass(cycle.pass(++done), cycle);
    timer_.end(Phase::primary, compute_.exec());
  }
  if (residuals_) residuals_->fold(compute_.exec(), static_cast<int>(summed(cycle.steps)));
  if (measure_ && config_.part == Part::all && measure_->due(since_ + cycle.steps)) {
    if (!cycle.measured) measure_->enqueue(compute_.exec(), now_);
    measure_->fold(compute_.exec());
  }
  if (done_) done_->add(compute_.exec(), cycle.steps);
  since_ += cycle.steps;
}

/// Steps of the next cycle. One that is measured is the last of its cycle, and where steps are fused, one
/// that is summed.
int GridSteps::next_cycle(grid::Index left) const {
  grid::Index steps = std::min<grid::Index>(config_.depth, left);
  if (residuals_ && config_.fused_steps > 1)
    steps = std::min(steps, config_.residual_interval - since_ % config_.residual_interval);
  if (measure_) steps = std::min(steps, measure_->left(since_));
  return static_cast<int>(steps);
}

/// The next two cycles at once, from a graph, if they are whole ones.
bool GridSteps::replay(grid::Index left) {
  const grid::Index depth = config_.depth, pair = 2 * depth;
  const std::vector<int> sums = summed_steps(static_cast<int>(pair)),
                         measured = measured_steps(static_cast<int>(pair));
  const auto end_early = [&](const std::vector<int>& steps) {
    return std::any_of(steps.begin(), steps.end(), [&](int step) { return step % depth != 0; });
  };
  if (left < pair || (config_.fused_steps > 1 && end_early(sums)) || end_early(measured)) return false;
  const Cycle first = cycle_of(config_.depth, since_), second = cycle_of(config_.depth, since_ + depth);
  void *const now = now_, *const next = next_;
  const grid::Index since = since_;
  const std::tuple key(static_cast<const void*>(now), sums, measured);
  auto graph = graphs_.find(key);
  if (graph == graphs_.end()) {
    const auto two_cycles = [this, first, second] {
      exchange_.forget_last();
      run(first);
      run(second);
    };
    graph = graphs_.emplace(key, backend::Graph(compute_.exec(), two_cycles)).first;
    now_ = now;
    next_ = next;
    since_ = since;
  }
  graph->second.launch(compute_.exec());
  // On host backends it has run them and done this.
  const bool swapped = (first.passes() + second.passes()) % 2 == 1;
  now_ = swapped ? next : now;
  next_ = swapped ? now : next;
  since_ = since + pair;
  return true;
}

void GridSteps::advance(grid::Index steps, const std::function<void(grid::Index)>& on_exchange) {
  if (steps < 0)
    throw UsageError("an advance of " + std::to_string(steps) + " steps", "nothing was computed",
                     "give 0 steps or more");
  made_ += steps;
  advance_stages(steps * stages_, [&](grid::Index stages) {
    if (on_exchange) on_exchange(stages / stages_);
  });
}

void GridSteps::refresh_constants() {
  if (!constants_) return;
  finish();
  constants_->fill(compute_.exec());
}

/// Kernels under way have what they were started with.
void GridSteps::replace(const std::function<GridComputation()>& make) {
  GridComputation computation;
  agree_on(communicator_, "DeepHalo", set_up_timeout(config_.halo.timeout), [&] {
    computation = make();
    if (computation.name != name_)
      throw UsageError("an update rule of another type was given to a running DeepHalo",
                       "nothing was changed",
                       "give a rule of the type that it was made for, or make a new DeepHalo");
    computation.check();
    require_none(problem_of(computation.grid, computation.facts, config_));
    return Terms{items(computation, config_), {}};
  });
  if (!graphs_.empty()) finish();
  graphs_.clear();
  passes_ = computation.computation.passes(where_);
}

/// For the sums and measurements of so many more steps. Kernels may still add to what is about to move.
void GridSteps::make_room(grid::Index steps) {
  const grid::Index sums = summed(steps);
  if (residuals_ && !residuals_->has_room(sums)) finish();
  if (residuals_ && residuals_->reserve(sums)) graphs_.clear();
  if (!measure_) return;
  const grid::Index states = measure_->count(since_, since_ + steps);
  if (!measure_->has_room(states)) finish();
  if (measure_->reserve(states)) graphs_.clear();
}

void GridSteps::require_fields(const GridMeasure& measure) const {
  const auto require = [](const char* what, const std::string& given, const std::string& own) {
    if (given != own)
      throw UsageError(
          fmt::format("a measure of {} '{}' was given to a DeepHalo that has '{}'", what, given, own),
          "nothing was measured", "give it the Fields, Constants and dims of the rule that it measures");
  };
  require("fields", measure.fields, fields_);
  if (!measure.constants.empty()) require("constants", measure.constants, constant_fields_);
}

std::vector<double> GridSteps::measure(const GridMeasure& measure) {
  agree_on(communicator_, "DeepHalo::measure", set_up_timeout(config_.halo.timeout), [&] {
    require_fields(measure);
    // Nothing is under way in it: each measurement ends with its result.
    if (!once_ || !once_->reuse(measure, where_))
      once_ = std::make_unique<StepMeasure>(exchange_.buffers(), measure, where_);
    once_->reserve(1);
    return Terms{items(measure), {}};
  });
  once_->enqueue(compute_.exec(), now_);
  once_->fold(compute_.exec());
  finish();
  return once_->read(communicator_).front();
}

void GridSteps::measure_each(grid::Index interval, const GridMeasure& measure) {
  std::unique_ptr<StepMeasure> made;
  agree_on(communicator_, "DeepHalo::measure_each", set_up_timeout(config_.halo.timeout), [&] {
    require_fields(measure);
    require_interval(interval, config_.depth, stages_);
    made = std::make_unique<StepMeasure>(exchange_.buffers(), measure, where_, interval * stages_, since_);
    Terms terms{items(measure), {}};
    terms.items.push_back({"interval", std::to_string(interval)});
    return terms;
  });
  finish();
  graphs_.clear();
  measure_ = std::move(made);
}

std::vector<std::vector<double>> GridSteps::measured() {
  if (!measure_)
    throw UsageError("a history of measurements was asked for, but nothing was measured", "there is none",
                     "call measure_each(interval, measure) before the steps");
  finish();  // ranks that have come to other states would not add up
  return measure_->read(communicator_);
}

void GridSteps::advance_stages(grid::Index steps, const std::function<void(grid::Index)>& on_exchange) {
  const grid::Index measured = measure_ ? measure_->count(since_, since_ + steps) : 0;
  // A sum may end one early, and so may a measurement.
  const grid::Index cycles = (steps + config_.depth - 1) / config_.depth + 1 + measured;
  timer_.reserve(static_cast<std::size_t>(cycles) * (4 * plan_.rounds.size() + 3));
  make_room(steps);
  for (grid::Index done = 0; done < steps;) {
    const grid::Index before = since_;
    if (!config_.graph || !replay(steps - done)) run(cycle_of(next_cycle(steps - done), since_));
    check();
    done += since_ - before;
    if (on_exchange) on_exchange(done);
  }
}

void GridSteps::finish() {
  computed_.record(compute_.exec());
  computed_.wait_on_host();
  check();
}

std::vector<stencil::ResidualSum> GridSteps::residuals() {
  return residuals_ ? residuals_->read() : std::vector<stencil::ResidualSum>{};
}

void GridSteps::reset_residuals() {
  if (!residuals_) return;
  finish();
  residuals_->reset();
  if (measure_) measure_->restart(since_);
  since_ = 0;
}

void GridSteps::restart() {
  made_ = 0;
  if (!done_) return;
  finish();
  done_->reset();
}

double GridSteps::redundant_fraction() const {
  double computed = 0;
  for (int step = 1; step <= config_.depth; ++step)
    computed += static_cast<double>(substep_box(step, config_.depth).cells());
  return 1 - config_.depth * static_cast<double>(layout_.own_box().cells()) / computed;
}

}  // namespace haloheap::comm::detail
