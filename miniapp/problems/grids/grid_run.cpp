// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/miniapp/problems/grids/grid_check.hpp>
#include <haloheap/miniapp/problems/grids/grid_files.hpp>
#include <haloheap/miniapp/problems/grids/grid_residual.hpp>
#include <haloheap/miniapp/problems/grids/grid_run.hpp>
#include <haloheap/miniapp/report/spread.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace haloheap {
namespace {

/// What a rank takes of the host besides staging buffers: start values, copies of the cells that are checked
/// or written, and the reference on rank 0.
std::size_t host_bytes(const RunContext& context, const GridModel& model, std::size_t field_bytes) {
  const bool verify = context.deck.get<bool>("run.verify"), write = context.deck.get<bool>("output.fields");
  const bool frames = context.deck.get<std::int64_t>("output.frames") > 0;
  std::size_t bytes = model.start_bytes(field_bytes / 2);
  if (verify || write || frames) bytes += (verify || frames ? 3 : 2) * field_bytes / 2;
  if (verify && context.communicator.rank() == 0) bytes += model.reference_bytes();
  return bytes;
}

/// The settings, if the machine has what they need, and its memory is large enough. Collective.
const GridSettings& checked(const RunContext& context, const GridSettings& settings, const GridCosts& costs) {
  agree(context.communicator, [&] {
    if (settings.transfer.any())
      transfer::make_mode(settings.transfer.mode);  // throws where the machine has it not
  });
  std::vector<MemoryDemand> demands = {
      memory_demand(context.deck, "memory.fields", costs.field_bytes),
      memory_demand(context.deck, "memory.buffers", costs.device_buffer_bytes),
      {"pageable", host_bytes(context, *settings.model, costs.field_bytes)}};
  for (const MemoryDemand& demand : transfer_demands(settings.transfer, costs.own_bytes))
    demands.push_back(demand);
  if (!costs.host_buffers.empty()) demands.push_back({costs.host_buffers, costs.host_buffer_bytes});
  check_memory(context.communicator, demands);
  return settings;
}

// The parts of an overlap. The overlapped run comes last, so that its field is the one that is verified.
constexpr std::size_t variants = 4;
enum Variant : std::size_t { interior, exchange, serial, overlapped };

comm::DeepHaloConfig config_of(std::size_t variant, comm::DeepHaloConfig config) {
  if (variant == interior) config.part = comm::Part::interior;
  if (variant == exchange) config.part = comm::Part::exchange;
  if (variant == exchange || variant == serial) config.overlap = comm::Overlap::none;
  return config;
}

/// Of a transport by itself: "auto" is none.
bool hands_device_memory_to_mpi(const std::string& transport) {
  const comm::TransportInfo* const info = comm::transports().find(transport);
  return info != nullptr && info->carrier == comm::Carrier::mpi && info->places.host.empty();
}

using RanksOfLine = std::pair<std::string, std::vector<int>>;

/// Which ranks gave which line of what was gathered, in the order of the ranks.
std::vector<RanksOfLine> by_line(const std::string& gathered) {
  std::vector<RanksOfLine> groups;
  std::istringstream lines(gathered);
  int rank = 0;
  for (std::string line; std::getline(lines, line); ++rank) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == line; });
    if (group == groups.end()) group = groups.insert(groups.end(), {line, {}});
    group->second.push_back(rank);
  }
  return groups;
}

std::string in_words(const std::vector<int>& ranks) {
  constexpr std::size_t listed = 8;
  if (ranks.size() > listed) return fmt::format("rank {} and {} others", ranks.front(), ranks.size() - 1);
  return fmt::format("{} {}", ranks.size() == 1 ? "rank" : "ranks", fmt::join(ranks, ", "));
}

GridPhases phases_of(const std::array<double, comm::phase_count>& seconds, bool barriers) {
  const auto of = [&](comm::Phase phase) { return seconds[static_cast<std::size_t>(phase)]; };
  GridPhases result{of(comm::Phase::pack),
                    of(comm::Phase::unpack),
                    of(comm::Phase::message),
                    of(comm::Phase::inner),
                    of(comm::Phase::outer),
                    of(comm::Phase::primary),
                    std::nullopt};
  if (barriers) result.desynchronisation = of(comm::Phase::desynchronisation);
  return result;
}

}  // namespace

int grid_runs(const deck::Deck& deck, Measure measure) {
  const auto [repetitions, warm_ups] = read_repetitions(deck);
  // Each variant of an overlap is made anew, and warmed up, for each repetition.
  const int measured = measure == Measure::overlap ? static_cast<int>(variants) * repetitions * (1 + warm_ups)
                                                   : repetitions + warm_ups;
  return measured + (deck.get<std::int64_t>("output.frames") > 0 ? 1 : 0);
}

template <class T>
GridRun<T>::GridRun(const RunContext& context, const GridSettings& settings, const GridModelOf<T>& model,
                    GridReference& reference)
    : context_(context),
      settings_(settings),
      model_(model),
      costs_(grid_costs(settings, context.communicator.size())),
      reference_(reference),
      stepper_(context, checked(context, settings_, costs_), model, costs_),
      repetitions_(read_repetitions(context.deck)),
      runs_(grid_runs(context.deck, settings.measure)) {}

template <class T>
void GridRun<T>::show(grid::Index done) {
  const double share = static_cast<double>(done) / static_cast<double>(settings_.steps);
  context_.progress.update((runs_done_ + share) / runs_);
}

template <class T>
double GridRun<T>::repetition() {
  const double seconds = stepper_.run([this](grid::Index done) { show(done); });
  ++runs_done_;
  return seconds;
}

template <class T>
void GridRun<T>::warm_up() {
  const base::Stopwatch watch;
  for (int i = 0; i < repetitions_.warm_ups; ++i) repetition();
  result_.timing.warm_up = result_.timing.warm_up.value_or(0) + watch.seconds();
}

template <class T>
void GridRun<T>::measure() {
  comm::DeepHaloConfig config = settings_.config;
  if (settings_.measure == Measure::exchange) config.part = comm::Part::exchange;
  stepper_.make(config);
  warm_up();
  std::vector<double> times;
  for (int i = 0; i < repetitions_.repetitions; ++i) {
    times.push_back(repetition());
    keep();
  }
  result_.timing.wall = report::spread_of(times);
}

/// One variant after the other, again and again, so that a machine that slows down slows all of them.
template <class T>
void GridRun<T>::measure_overlap() {
  std::array<std::vector<double>, variants> times;
  for (int i = 0; i < repetitions_.repetitions; ++i)
    for (std::size_t variant = 0; variant < variants; ++variant) {
      stepper_.make(config_of(variant, settings_.config));
      warm_up();
      times[variant].push_back(repetition());
      if (variant == overlapped) keep();
    }
  result_.timing.wall = report::spread_of(times[overlapped]);
  result_.overlap_terms = OverlapTerms{.serial = report::spread_of(times[serial]).median,
                                       .overlapped = result_.timing.wall.median,
                                       .exchange = report::spread_of(times[exchange]).median,
                                       .interior = report::spread_of(times[interior]).median};
}

/// What a repetition leaves besides its time.
template <class T>
void GridRun<T>::keep() {
  if (const auto ways = stepper_.transferred()) {
    h2d_times_.push_back(ways->h2d);
    d2h_times_.push_back(ways->d2h);
  }
  if (stepper_.halo().timer().enabled()) phase_times_.push_back(stepper_.halo().timer().seconds());
  if (!settings_.config.residual) return;
  auto sums = sum_over_ranks(context_.communicator, stepper_.halo().residuals());
  residuals_vary_ = residuals_vary_ || (!residuals_.empty() && !difference(sums, residuals_, 1).empty());
  residuals_ = std::move(sums);
}

/// What a run does, so that rates follow from its time.
template <class T>
void GridRun<T>::count() {
  if (settings_.measure == Measure::exchange)
    result_.exchanges_alone = settings_.exchanges();
  else
    result_.updates = static_cast<double>(product(settings_.cells())) * static_cast<double>(settings_.steps) *
                      model_.facts().updates;
  result_.update_bytes = 2.0 * sizeof(T) * model_.fields() / model_.facts().updates;
  result_.messages = costs_.messages;
  result_.message_bytes = static_cast<std::int64_t>(costs_.message_bytes);
  result_.redundant_fraction = context_.communicator.max(stepper_.halo().redundant_fraction());
  result_.memory.bytes = static_cast<std::size_t>(
      context_.communicator.max(static_cast<double>(stepper_.peak_bytes() + costs_.host_buffer_bytes)));
  if (!h2d_times_.empty())
    result_.field = FieldSeconds{report::spread_of(h2d_times_).median, report::spread_of(d2h_times_).median};
}

template <class T>
void GridRun<T>::report_phases() {
  if (phase_times_.empty()) return;
  PhaseSeconds maximum{}, mean{};
  const auto repetitions = static_cast<double>(phase_times_.size());
  for (const PhaseSeconds& seconds : phase_times_)
    for (std::size_t phase = 0; phase < seconds.size(); ++phase) {
      maximum[phase] += context_.communicator.max(seconds[phase]) / repetitions;
      mean[phase] += context_.communicator.sum(seconds[phase]) / (repetitions * context_.communicator.size());
    }
  const bool barriers = settings_.config.halo.desynchronisation;
  result_.phases = phases_of(maximum, barriers);
  result_.mean_phases = phases_of(mean, barriers);
}

template <class T>
void GridRun<T>::describe(report::Point& point) const {
  const deck::Deck& deck = context_.deck;
  point.work = {.problem = deck.get<std::string>("problem"),
                .size = {settings_.cells().x, settings_.cells().y},
                .steps = settings_.steps,
                .scalar = model_.scalar(),
                .quantities = model_.fields()};
  point.rank_grid = {settings_.ranks.x, settings_.ranks.y};
  if (settings_.dims() == 3) {
    point.work.size.push_back(settings_.cells().z);
    point.rank_grid.push_back(settings_.ranks.z);
  }
  point.ranks = context_.communicator.size();
  point.mpi_took_device_memory = hands_device_memory_to_mpi(settings_.config.halo.transport);
}

template <class T>
void GridRun<T>::describe_path(report::Point& point) {
  const deck::Deck& deck = context_.deck;
  GridPath& path = result_.path;
  path = {.transport = settings_.config.halo.transport,
          .exchange = deck.get<std::string>("halo.exchange"),
          .overlap = deck.get<std::string>("halo.overlap"),
          .fields = settings_.fields,
          .buffers = settings_.buffers,
          .graph = settings_.config.graph};
  const comm::HaloExchange& exchange = stepper_.halo().exchange_path();
  const bool automatic = settings_.config.halo.transport == comm::automatic_transport;
  if (!context_.communicator.all(automatic ? !exchange.uses_message_mode() : !settings_.uses_mpi()))
    path.mpi = settings_.config.halo.mpi;
  const std::string mixes = context_.communicator.gather_lines(exchange.mix());
  if (automatic) {
    std::string all;
    for (const auto& [chosen, ranks] : by_line(mixes)) {
      all += (all.empty() ? "" : "; ") + chosen;
      point.notes.push_back(fmt::format(
          "auto chose for neighbours on the same node and on other nodes: {} ({})", chosen, in_words(ranks)));
    }
    path.transport = "auto: " + all;
    if (!exchange.why_not_mapped().empty())
      point.notes.push_back("auto maps no memory of neighbours: " + exchange.why_not_mapped());
  }
  if (settings_.config.graph && settings_.config.phases)
    point.notes.push_back("no phase times: a graph has none");
}

template <class T>
void GridRun<T>::report_residual() {
  if (!settings_.config.residual || residuals_.empty()) return;
  const std::vector<double> history = norms(*settings_.config.residual, residuals_);
  result_.residual = GridResidual{
      .first = history.front(), .last = history.back(), .steps = static_cast<std::int64_t>(history.size())};
  agree(context_.communicator, [&] {
    if (context_.communicator.rank() == 0)
      write_norms(context_.folder / (context_.point_name + "_residual.csv"), history,
                  settings_.config.residual_interval);
  });
}

template <class T>
std::string GridRun<T>::residual_difference() {
  if (residuals_vary_) return "the residuals of one repetition from those of another";
  std::string differs;
  const int interval = settings_.config.residual_interval;
  if (context_.communicator.rank() == 0)
    differs = difference(
        residuals_,
        each(interval, reference_.residuals(context_.deck, model_, settings_.config.residual.value())),
        interval);
  return context_.communicator.broadcast(differs, 0);
}

/// Compares with the reference and writes the fields, as far as the deck asks for it.
template <class T>
void GridRun<T>::check(report::Point& point) {
  const comm::Communicator& communicator = context_.communicator;
  const bool verify = context_.deck.get<bool>("run.verify"), write = context_.deck.get<bool>("output.fields");
  if (!settings_.has_result())
    point.notes.push_back(
        settings_.measure == Measure::exchange
            ? "exchanges alone: nothing was computed or verified"
            : fmt::format("transport '{}' delivers nothing: the result is wrong and was not "
                          "verified",
                          settings_.config.halo.transport));
  if (!verify && !write) return;
  const std::vector<T>& cells = stepper_.cells();
  if (verify && settings_.has_result()) {
    auto result = verify_grid(context_, settings_, model_, reference_, cells);
    if (settings_.config.residual) {
      const std::string differs = residual_difference();
      result.bitwise = result.bitwise && differs.empty();
      if (!differs.empty()) result.differs += (result.differs.empty() ? "" : ", ") + differs;
    }
    if (!result.differs.empty()) point.notes.push_back("not the reference's: " + result.differs);
    point.verification = result;
  }
  const comm::Grid grid = settings_.grid(communicator.rank());
  if (settings_.has_result()) model_.measure({communicator, grid, grid.own(), cells}, point);
  if (write) write_grid_fields(context_, settings_, cells);
}

template <class T>
report::Point GridRun<T>::run() {
  report::Point point;
  if (settings_.measure == Measure::overlap)
    measure_overlap();
  else
    measure();
  count();
  report_phases();
  describe(point);
  describe_path(point);
  report_residual();
  check(point);
  if (settings_.has_result()) model_.write_files(context_);
  if (context_.deck.get<bool>("run.copy_baseline")) result_.copy_bandwidth = stepper_.copy_bandwidth();
  point.measure(grid_quantities(), result_);
  if (settings_.frames > 0)
    write_frames<T>(context_, settings_, stepper_, [this](grid::Index done) { show(done); });
  if (settings_.frames > 0 || context_.deck.get<bool>("output.fields"))
    point.notes.push_back(fmt::format("pictures of the fields: scripts/report picture {} -o picture.{}",
                                      (context_.folder / "results.json").string(),
                                      settings_.frames > 0 ? "gif" : "png"));
  return point;
}

#define HALOHEAP_INSTANTIATE(T) template class GridRun<T>;
HALOHEAP_GRID_VALUES(HALOHEAP_INSTANTIATE)
#undef HALOHEAP_INSTANTIATE

}  // namespace haloheap
