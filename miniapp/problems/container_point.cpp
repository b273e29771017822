// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/container_point.hpp>
#include <haloheap/miniapp/problems/heap_point.hpp>
#include <haloheap/miniapp/problems/table1.hpp>
#include <haloheap/miniapp/report/spread.hpp>

#include <fmt/format.h>

#include <chrono>
#include <vector>

namespace haloheap {
namespace {

using coherence::Context;
using coherence::ContextOptions;
using coherence::Statistics;

constexpr double megabyte = 1e6;  // as in the paper's tables

void add_bytes(report::Point& point, const Statistics& statistics) {
  const auto add = [&](const char* name, const char* title, std::uint64_t bytes) {
    point.figures.push_back({name, title, static_cast<double>(bytes) / megabyte});
  };
  add("htd_mb", "HTD [MB]", statistics.to_devices());
  add("dtd_mb", "DTD [MB]", statistics.within_devices());
  add("peer_mb", "peer [MB]", statistics.between_devices());
  add("dth_mb", "DTH [MB]", statistics.to_host());
  add("link_mb", "links [MB]", statistics.over_links());
  add("allocated_mb", "allocated [MB]", statistics.allocations.bytes);
  add("evicted_mb", "", statistics.evictions.bytes);
  const auto count = [&](const char* name, std::uint64_t number) {
    point.figures.push_back({name, "", static_cast<double>(number)});
  };
  std::uint64_t copies = 0;
  for (const coherence::Amount& amount : statistics.moved) copies += amount.count;
  count("copies", copies);
  count("allocations", statistics.allocations.count);
  count("evictions", statistics.evictions.count);
  count("hits", statistics.hits);
  count("misses", statistics.misses);
}

/// The paper's Table 1 beside ours, both in units of what is replicated.
void add_table1(report::Point& point, const Statistics& statistics, const Context& context,
                const std::optional<ReplicatedWork>& work) {
  const ContextOptions& options = context.options();
  if (!work || context.devices() != 2) return;
  const auto row = table1_row(work->application, options.policy, options.peer && options.policy == "paper");
  if (!row) return;
  const double unit = work->calls * work->vector_bytes;
  const auto add = [&](const char* name, const char* title, std::uint64_t bytes, double paper) {
    point.figures.push_back(
        {std::string("unit_") + name, std::string(title) + " [CV]", static_cast<double>(bytes) / unit});
    point.figures.push_back({std::string("paper_") + name, std::string(title) + " paper", paper});
  };
  add("htd", "HTD", statistics.to_devices(), row->to_devices);
  add("dtd", "DTD", statistics.within_devices(), row->within_devices);
  add("peer", "peer", statistics.between_devices(), row->between_devices);
  add("dth", "DTH", statistics.to_host(), row->to_host);
  add("allocated", "allocated", statistics.allocations.bytes, row->allocated);
}

double seconds_of(ContainerApp& app, Context& context) {
  const auto begin = std::chrono::steady_clock::now();
  app.run(context);
  context.fence();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Containers go before their context, also when a run fails.
struct ClearedAtTheEnd {
  ContainerApp& app;
  ~ClearedAtTheEnd() { app.clear(); }
};

void run_all(const RunContext& run, const ContextOptions& options, ContainerApp& app, report::Point& point) {
  const auto number = [&](const char* key) { return static_cast<int>(run.deck.get<std::int64_t>(key)); };
  const int warm_ups = number("run.warmup"), runs = warm_ups + number("run.repetitions");
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    Context context(options);
    const ClearedAtTheEnd cleared{app};
    app.prepare(context);
    context.fence();
    context.reset_statistics();
    const double seconds = seconds_of(app, context);
    const Statistics statistics = context.statistics();
    if (i >= warm_ups) times.push_back(seconds);
    if (i < warm_ups) point.warm_up += seconds;
    run.progress.update(static_cast<double>(i + 1) / runs);
    if (i + 1 == runs) {
      point.wall = report::spread_of(times);
      point.figures.push_back({"run_ms", "time [ms]", 1e3 * point.wall.median});
      point.verification = app.check();
      app.add_figures(point);
      add_bytes(point, statistics);
      add_table1(point, statistics, context, app.replicated());
    }
  }
}

}  // namespace

ContextOptions read_coherence(const deck::Deck& deck, int ranks) {
  require_one_rank(deck, ranks);
  ContextOptions options;
  options.devices = static_cast<int>(deck.get<std::int64_t>("coherence.devices"));
  options.share_devices = deck.get<bool>("coherence.share");
  options.policy = deck.get<std::string>("coherence.policy");
  options.peer = deck.get<bool>("coherence.peer");
  options.pinned = deck.get<bool>("coherence.pinned");
  options.asynchronous = deck.get<bool>("coherence.asynchronous");
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

report::Point run_container_point(const RunContext& context, ContainerApp& app) {
  const deck::Deck& deck = context.deck;
  const ContextOptions options = read_coherence(deck, context.communicator.size());
  report::Point point;
  point.work = app.work();
  point.work.problem = deck.get<std::string>("problem");
  point.ranks = context.communicator.size();
  point.rank_grid = {point.ranks};
  point.path = {.transport = "none",
                .exchange = "none",
                .overlap = "none",
                .fields = "device",
                .buffers = options.pinned ? "pinned" : "pageable"};
  point.memory_per_rank = static_cast<std::int64_t>(app.bytes());
  agree(context.communicator, [&] { run_all(context, options, app, point); });
  return point;
}

}  // namespace haloheap
