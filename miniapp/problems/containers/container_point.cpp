// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/core/coherence/protocol.hpp>
#include <haloheap/miniapp/problems/containers/container_point.hpp>
#include <haloheap/miniapp/problems/containers/table1.hpp>
#include <haloheap/miniapp/problems/heap_point.hpp>
#include <haloheap/miniapp/repetitions.hpp>
#include <haloheap/miniapp/report/timing.hpp>

#include <fmt/format.h>

#include <functional>
#include <vector>

namespace haloheap {

void add_coherence_keys(deck::Schema& schema) {
  deck::Section& section =
      schema.section("coherence", "Smart containers: which copies there are, and what moves");
  section.integer("devices", -1)
      .range(-1, 16)
      .help("Devices that share the work of each call; 0: the host; -1: all that this process sees");
  section.boolean("share", false).help("More devices may be asked for than there are: they share those");
  section.entry("policy", coherence::policies()).help("How copies are kept coherent");
  section.boolean("peer", true).help("Devices copy straight to each other, where they can");
  section.boolean("pinned", true).help("Page-locked memory for the containers on the host");
  section.real("capacity", 0.0)
      .at_least(0.0)
      .unit("GiB")
      .help(
          "Most memory of a device for all containers; 0: all there is. Less is made up for by moving more");
  section.boolean("asynchronous", true)
      .help("Calls return before their work is done; who uses the elements waits for it");
  section.integer("instances", 1)
      .range(1, coherence::max_instances)
      .help("Queues of kernels of each device: calls that write different containers may overlap");
  section.boolean("check", false).help("Find uses of elements that overlap in time, and say which");
}

namespace {

using coherence::Context;
using coherence::ContextOptions;
using coherence::Statistics;

constexpr double megabyte = 1e6;  // as in the tables of [Dastgeer2016]

/// Table 1 of [Dastgeer2016] beside ours, both in units of what is replicated.
struct BesideTable1 {
  double unit = 1;
  Table1Row paper;
};

/// What all applications measure.
struct ContainerResult {
  report::Timing timing;
  Statistics statistics;
  std::optional<BesideTable1> table1;
};

std::optional<BesideTable1> beside_table1(const Context& context, const std::optional<ReplicatedWork>& work) {
  const ContextOptions& options = context.options();
  if (!work || context.devices() != 2) return std::nullopt;
  const bool peer = options.peer && coherence::policies().at(options.policy).peer_copies;
  const auto row = table1_row(work->application, options.policy, peer);
  if (!row) return std::nullopt;
  return BesideTable1{work->calls * work->vector_bytes, *row};
}

auto bytes(std::uint64_t (Statistics::*moved)() const) {
  return [moved](const ContainerResult& c) { return static_cast<double>(std::invoke(moved, c.statistics)); };
}
auto bytes(coherence::Amount Statistics::*amount) {
  return [amount](const ContainerResult& c) {
    return static_cast<double>(std::invoke(amount, c.statistics).bytes);
  };
}

template <class Of>
auto megabytes(Of of) {
  return [amount = bytes(of)](const ContainerResult& c) { return amount(c) / megabyte; };
}

/// The same in the units of [Dastgeer2016].
template <class Of>
auto in_units(Of of) {
  return [amount = bytes(of)](const ContainerResult& c) {
    return c.table1 ? std::optional(amount(c) / c.table1->unit) : std::nullopt;
  };
}
auto of_paper(double Table1Row::*number) {
  return [number](const ContainerResult& c) {
    return c.table1 ? std::optional(c.table1->paper.*number) : std::nullopt;
  };
}

std::uint64_t copies(const ContainerResult& result) {
  std::uint64_t count = 0;
  for (const coherence::Amount& amount : result.statistics.moved) count += amount.count;
  return count;
}

const report::Quantities<ContainerResult>& times() {
  using C = ContainerResult;
  static const auto all =
      report::Quantities<C>{}
          .with(&C::timing, report::timings())
          .add({{{"figures.run_ms", "ms", "time", "Time of a run: the median.", report::Shown{}},
                 [](const C& c) { return 1e3 * c.timing.wall.median; }}});
  return all;
}

report::Quantities<ContainerResult> bytes_and_counts() {
  using C = ContainerResult;
  using S = Statistics;
  using report::Shown;
  return {
      {{"figures.h2d_mb", "MB", "HTD",
        "1e6 bytes that moved in the last run from the host to devices, as in the tables of [Dastgeer2016].",
        Shown{}},
       megabytes(&S::to_devices)},
      {{"figures.d2d_mb", "MB", "DTD", "1e6 bytes that moved within devices.", Shown{}},
       megabytes(&S::within_devices)},
      {{"figures.peer_mb", "MB", "peer", "1e6 bytes that moved from one device to another.", Shown{}},
       megabytes(&S::between_devices)},
      {{"figures.d2h_mb", "MB", "DTH", "1e6 bytes that moved from devices to the host.", Shown{}},
       megabytes(&S::to_host)},
      {{"figures.link_mb", "MB", "links", "1e6 bytes that moved over links: all but those within devices.",
        Shown{}},
       megabytes(&S::over_links)},
      {{"figures.allocated_mb", "MB", "allocated", "1e6 bytes of device memory that were taken.", Shown{}},
       megabytes(&S::allocations)},
      {{"figures.evicted_mb", "MB", "evicted", "1e6 bytes of copies on devices that made room for others."},
       megabytes(&S::evictions)},
      {{"figures.copies", "", "copies", "Copies that moved bytes."}, copies},
      {{"figures.allocations", "", "allocations", "Allocations of device memory."},
       [](const C& c) { return c.statistics.allocations.count; }},
      {{"figures.evictions", "", "evictions", "Copies on devices that made room for others."},
       [](const C& c) { return c.statistics.evictions.count; }},
      {{"figures.hits", "", "hits", "Uses for which nothing had to move."},
       [](const C& c) { return c.statistics.hits; }},
      {{"figures.misses", "", "misses", "Uses for which something had to move."},
       [](const C& c) { return c.statistics.misses; }},
  };
}

report::Quantities<ContainerResult> table1_quantities() {
  using R = Table1Row;
  using S = Statistics;
  using report::Shown;
  return {
      {{"figures.unit_h2d", "", "HTD in units",
        "On two devices, for what Table 1 of [Dastgeer2016] has: h2d_mb over the bytes of what is replicated "
        "in "
        "all calls.",
        Shown{"HTD [CV]"}},
       in_units(&S::to_devices)},
      {{"figures.paper_h2d", "", "HTD of [Dastgeer2016]", "What Table 1 of [Dastgeer2016] has for unit_h2d.",
        Shown{"HTD [Dastgeer2016]"}},
       of_paper(&R::to_devices)},
      {{"figures.unit_d2d", "", "DTD in units", "d2d_mb over the bytes of what is replicated in all calls.",
        Shown{"DTD [CV]"}},
       in_units(&S::within_devices)},
      {{"figures.paper_d2d", "", "DTD of [Dastgeer2016]", "What Table 1 of [Dastgeer2016] has for unit_d2d.",
        Shown{"DTD [Dastgeer2016]"}},
       of_paper(&R::within_devices)},
      {{"figures.unit_peer", "", "peer in units",
        "peer_mb over the bytes of what is replicated in all calls.", Shown{"peer [CV]"}},
       in_units(&S::between_devices)},
      {{"figures.paper_peer", "", "peer of [Dastgeer2016]",
        "What Table 1 of [Dastgeer2016] has for unit_peer.", Shown{"peer [Dastgeer2016]"}},
       of_paper(&R::between_devices)},
      {{"figures.unit_d2h", "", "DTH in units", "d2h_mb over the bytes of what is replicated in all calls.",
        Shown{"DTH [CV]"}},
       in_units(&S::to_host)},
      {{"figures.paper_d2h", "", "DTH of [Dastgeer2016]", "What Table 1 of [Dastgeer2016] has for unit_d2h.",
        Shown{"DTH [Dastgeer2016]"}},
       of_paper(&R::to_host)},
      {{"figures.unit_allocated", "", "allocated in units",
        "allocated_mb over the bytes of what is replicated in all calls.", Shown{"allocated [CV]"}},
       in_units(&S::allocations)},
      {{"figures.paper_allocated", "", "allocated of [Dastgeer2016]",
        "What Table 1 of [Dastgeer2016] has for unit_allocated.", Shown{"allocated [Dastgeer2016]"}},
       of_paper(&R::allocated)},
  };
}

/// Figures 6 and 7 of [Dastgeer2016].
report::Quantities<ContainerResult> comparisons() {
  const auto mechanism = [](const char* policy, bool peer) {
    return report::Settings{{"coherence.policy", std::string(policy)}, {"coherence.peer", peer}};
  };
  const auto ratio = [](const report::Point& own, const report::Point& reference) -> std::optional<double> {
    const auto time = own.number("wall_s.median"), of_reference = reference.number("wall_s.median");
    return time && of_reference > 0.0 ? std::optional(*time / *of_reference) : std::nullopt;
  };
  return {
      {{"figures.normalised", "", "normalised",
        "Median time over that of the same sweep's point with policy `paper` and peer copies and otherwise "
        "the same deck; where there is none, with `paper` without peer copies, with `region` and peer "
        "copies, or with `region`.",
        report::Shown{}},
       report::Comparison{{mechanism("paper", true), mechanism("paper", false), mechanism("region", true),
                           mechanism("region", false)},
                          ratio}}};
}

const report::Quantities<ContainerResult>& moves() {
  static const auto all =
      bytes_and_counts().with(std::identity{}, table1_quantities()).with(std::identity{}, comparisons());
  return all;
}

double seconds_of(ContainerApp& app, Context& context) {
  const base::Stopwatch watch;
  app.run(context);
  context.fence();
  return watch.seconds();
}

/// Containers go before their context, also when a run fails.
struct ClearedAtTheEnd {
  ContainerApp& app;
  ~ClearedAtTheEnd() { app.clear(); }
};

void run_all(const RunContext& run, const ContextOptions& options, ContainerApp& app, report::Point& point) {
  const Repetitions repetitions = read_repetitions(run.deck);
  const int warm_ups = repetitions.warm_ups, runs = repetitions.runs();
  std::vector<double> seconds_of_runs;
  double warm_up = 0;
  for (int i = 0; i < runs; ++i) {
    Context context(options);
    const ClearedAtTheEnd cleared{app};
    app.prepare(context);
    context.fence();
    context.reset_statistics();
    const double seconds = seconds_of(app, context);
    const Statistics statistics = context.statistics();
    if (i >= warm_ups) seconds_of_runs.push_back(seconds);
    if (i < warm_ups) warm_up += seconds;
    run.progress.update(static_cast<double>(i + 1) / runs);
    if (i + 1 < runs) continue;
    const report::Timing timing{report::spread_of(seconds_of_runs), warm_up};
    point.verification = app.check();
    const ContainerResult result{timing, statistics, beside_table1(context, app.replicated())};
    point.measure(times(), result);
    app.measure(timing.wall, point);
    point.measure(moves(), result);
  }
}

}  // namespace

ContextOptions read_coherence(const deck::Deck& deck, int ranks) {
  require_one_rank(deck, ranks);
  ContextOptions options;
  options.devices = deck.number("coherence.devices");
  options.share_devices = deck.get<bool>("coherence.share");
  options.policy = deck.get<std::string>("coherence.policy");
  options.peer = deck.get<bool>("coherence.peer");
  options.pinned = deck.get<bool>("coherence.pinned");
  options.asynchronous = deck.get<bool>("coherence.asynchronous");
  options.instances = deck.number("coherence.instances");
  options.check_uses = deck.get<bool>("coherence.check");
  const double capacity = deck.get<double>("coherence.capacity");
  if (capacity > 0) options.capacity = static_cast<std::size_t>(capacity * (std::size_t{1} << 30));
  return options;
}

std::string describe(const ContextOptions& options) {
  const std::string devices = options.devices < 0    ? "all devices"
                              : options.devices == 0 ? "the host"
                                                     : fmt::format("{} devices", options.devices);
  return fmt::format("{}, policy {}, {} peer copies", devices, options.policy,
                     options.peer ? "with" : "without");
}

report::QuantityList container_quantities() {
  return list_of(report::memory_use(), times(), moves());
}

report::Point run_container_point(const RunContext& context, ContainerApp& app) {
  const deck::Deck& deck = context.deck;
  const ContextOptions options = read_coherence(deck, context.communicator.size());
  report::Point point;
  point.work = app.work();
  point.work.problem = deck.get<std::string>("problem");
  point.ranks = context.communicator.size();
  point.rank_grid = {point.ranks};
  point.measure(report::memory_use(), {app.bytes()});
  agree(context.communicator, [&] { run_all(context, options, app, point); });
  return point;
}

}  // namespace haloheap
