// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/core/grid/copy.hpp>
#include <haloheap/miniapp/problems/heat_check.hpp>
#include <haloheap/miniapp/problems/heat_run.hpp>

#include <algorithm>
#include <chrono>

namespace haloheap {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

report::Spread spread(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const std::size_t half = times.size() / 2;
  const double median = times.size() % 2 == 1 ? times[half] : 0.5 * (times[half - 1] + times[half]);
  return {.median = median, .minimum = times.front(), .maximum = times.back()};
}

/// What a rank takes of the host besides staging buffers: one factor a coordinate, copies of the cells that
/// are checked or written, and the reference on rank 0.
std::size_t host_bytes(const RunContext& context, const HeatSettings& heat, std::size_t field_bytes) {
  const auto quantities = static_cast<std::size_t>(heat.quantities);
  const bool verify = context.deck.get<bool>("run.verify"), write = context.deck.get<bool>("output.fields");
  std::size_t bytes =
      static_cast<std::size_t>(heat.cells.x + heat.cells.y + heat.cells.z) * quantities * sizeof(double);
  if (verify || write) bytes += (verify ? 3 : 2) * field_bytes / 2;
  if (verify && context.communicator.rank() == 0)
    bytes += static_cast<std::size_t>(product(heat.cells)) * (quantities + 2) * heat.value_bytes();
  return bytes;
}

/// The settings, if what they need fits into memory. Collective.
const HeatSettings& checked(const RunContext& context, const HeatSettings& heat) {
  const HeatCosts costs = heat_costs(heat, context.communicator.size());
  const std::string staging = heat.config.halo.transport == "pinned" ? "pinned" : "pageable";
  check_memory(context.communicator, {{heat.fields, costs.field_bytes},
                                      {heat.buffers, costs.device_buffer_bytes},
                                      {staging, costs.host_buffer_bytes},
                                      {"pageable", host_bytes(context, heat, costs.field_bytes)}});
  return heat;
}

}  // namespace

template <class T>
HeatRun<T>::HeatRun(const RunContext& context, const HeatSettings& settings, HeatReference& reference)
    : context_(context),
      settings_(checked(context, settings)),
      reference_(reference),
      problem_(settings.problem(context.communicator.rank())),
      layout_(problem_.layout(settings.config.depth, sizeof(T))),
      initial_(settings.initial, settings.boundary, settings.dims, settings.cells, settings.quantities),
      memory_(context.deck) {
  agree(context_.communicator, [this] { allocate(); });
}

template <class T>
void HeatRun<T>::allocate() {
  const auto size = static_cast<std::size_t>(layout_.size());
  const auto fields = memory_.resource("memory.fields");
  first_.emplace(fields, "haloheap::heat::now", size);
  second_.emplace(fields, "haloheap::heat::next", size);
  DeepHaloConfig config = settings_.config;
  config.halo.buffers = memory_.resource("memory.buffers");
  stepper_.emplace(context_.communicator, problem_, config, first_->data(), second_->data());
  fill_.emplace(initial_, layout_, problem_.own());
}

template <class T>
double HeatRun<T>::repetition(bool shown, int number) {
  const backend::Instance setup(backend::Priority::low);
  fill_->run(setup.exec(), stepper_->now());
  fill_->run(setup.exec(), stepper_->next());
  backend::Event ready;
  ready.record(setup.exec());
  ready.wait_on_host();
  stepper_->timer().reset();

  const int all =
      settings_.steps > 0 ? static_cast<int>(context_.deck.get<std::int64_t>("run.repetitions")) : 1;
  const auto progress = [&](Index done) {
    context_.progress.update((number + static_cast<double>(done) / static_cast<double>(settings_.steps)) /
                             all);
  };
  context_.communicator.barrier();
  const auto begin = Clock::now();
  stepper_->advance(settings_.steps, shown ? std::function<void(Index)>(progress) : nullptr);
  stepper_->finish();
  return context_.communicator.max(seconds_since(begin));
}

template <class T>
void HeatRun<T>::measure(report::Point& point) {
  const auto warm_up_begin = Clock::now();
  for (std::int64_t i = 0; i < context_.deck.get<std::int64_t>("run.warmup"); ++i) repetition(false, 0);
  point.warm_up = seconds_since(warm_up_begin);

  std::vector<double> times;
  for (int i = 0; i < static_cast<int>(context_.deck.get<std::int64_t>("run.repetitions")); ++i)
    times.push_back(repetition(true, i));
  point.wall = spread(times);
  const double updates = static_cast<double>(product(settings_.cells)) *
                         static_cast<double>(settings_.steps) * settings_.quantities;
  if (point.wall.median > 0) {
    point.gcells_per_s = 1e-9 * updates / point.wall.median;
    point.effective_bandwidth = 2 * sizeof(T) * updates / point.wall.median;
  }
  if (settings_.config.phases) point.phases = phases();
}

template <class T>
report::Phases HeatRun<T>::phases() {
  auto seconds = stepper_->timer().seconds();
  for (double& value : seconds) value = context_.communicator.max(value);
  const auto of = [&](Phase phase) { return seconds[static_cast<std::size_t>(phase)]; };
  report::Phases result{of(Phase::pack),  of(Phase::unpack),  of(Phase::message), of(Phase::inner),
                        of(Phase::outer), of(Phase::primary), std::nullopt};
  if (settings_.config.halo.desynchronisation) result.desynchronisation = of(Phase::desynchronisation);
  return result;
}

template <class T>
void HeatRun<T>::measure_copy(report::Point& point) {
  const backend::Instance copies(backend::Priority::low);
  const std::size_t bytes = first_->size() * sizeof(T);
  std::vector<double> times;
  for (int i = 0; i < 6; ++i) {  // the first warms up
    context_.communicator.barrier();
    const auto begin = Clock::now();
    copy_baseline(copies.exec(), stepper_->next(), stepper_->now(), bytes);
    backend::Event done;
    done.record(copies.exec());
    done.wait_on_host();
    const double time = context_.communicator.max(seconds_since(begin));
    if (i > 0) times.push_back(time);
  }
  point.copy_bandwidth = 2 * context_.communicator.sum(static_cast<double>(bytes)) / spread(times).median;
  if (point.effective_bandwidth > 0)
    point.fraction_of_copy = point.effective_bandwidth / *point.copy_bandwidth;
}

template <class T>
void HeatRun<T>::describe(report::Point& point) const {
  const deck::Deck& deck = context_.deck;
  const int ranks = context_.communicator.size();
  const HeatCosts costs = heat_costs(settings_, ranks);
  point.work = {.problem = deck.get<std::string>("problem"),
                .size = {settings_.cells.x, settings_.cells.y},
                .steps = settings_.steps,
                .scalar = deck.get<std::string>("grid.precision"),
                .quantities = settings_.quantities};
  point.rank_grid = {static_cast<int>(settings_.ranks.x), static_cast<int>(settings_.ranks.y)};
  if (settings_.dims == 3) {
    point.work.size.push_back(settings_.cells.z);
    point.rank_grid.push_back(static_cast<int>(settings_.ranks.z));
  }
  point.ranks = ranks;
  point.path = {deck.get<std::string>("halo.transport"), deck.get<std::string>("halo.exchange"),
                deck.get<std::string>("halo.overlap"), settings_.fields, settings_.buffers};
  point.messages_per_exchange = costs.messages;
  point.bytes_per_exchange = static_cast<std::int64_t>(costs.message_bytes);
  point.redundant_fraction = context_.communicator.max(stepper_->redundant_fraction());
  point.memory_per_rank = static_cast<std::int64_t>(
      context_.communicator.max(static_cast<double>(memory_.peak_bytes() + costs.host_buffer_bytes)));
}

template <class T>
report::Point HeatRun<T>::run() {
  report::Point point;
  describe(point);
  measure(point);
  const bool verify = context_.deck.get<bool>("run.verify"), write = context_.deck.get<bool>("output.fields");
  if (verify || write) {
    const auto cells = own_cells(layout_, stepper_->now());
    if (verify)
      point.verification = verify_heat(context_.communicator, settings_, initial_, reference_, cells);
    if (write)
      write_heat_fields(context_.communicator, settings_, context_.folder, context_.point_name, cells);
  }
  if (context_.deck.get<bool>("run.copy_baseline")) measure_copy(point);
  return point;
}

template class HeatRun<float>;
template class HeatRun<double>;

}  // namespace haloheap
