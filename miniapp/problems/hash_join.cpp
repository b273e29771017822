// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/hash_join.hpp>
#include <haloheap/miniapp/problems/hash_join_kernels.hpp>
#include <haloheap/miniapp/problems/verification_of.hpp>
#include <haloheap/miniapp/report/spread.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace haloheap {
namespace {

/// Up to so many rows are compared one by one, more of them by their number and the sum of their digests.
constexpr std::size_t most_rows = std::size_t{1} << 20;

/// Tables and the host's join, which all allocators of a sweep share.
struct Reference {
  JoinTables tables;
  std::vector<Tuple> build, probe;
  HostJoin join;

  explicit Reference(const JoinTables& of)
      : tables(of), build(of.build()), probe(of.probe()), join(host_join(build, probe, most_rows)) {
    std::sort(join.rows.begin(), join.rows.end());
  }
};

report::Verification compare(const Reference& reference, HashJoinRuns& runs) {
  const auto wrong = std::count_if(runs.sums.begin(), runs.sums.end(),
                                   [&](const JoinSum& sum) { return sum != reference.join.sum; });
  report::Verification result = verification_of(static_cast<std::size_t>(wrong), runs.sums.size(), "joins");
  std::sort(runs.rows.begin(), runs.rows.end());
  if (result.bitwise && runs.rows != reference.join.rows) result = verification_of(1, 1, "sets of rows");
  return result;
}

class HashJoin final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    require_one_rank(deck, ranks);
    const HashJoinSettings settings = read_hash_join(deck);
    return fmt::format("{} tuples joined with {}, output pages of {} bytes a {} from '{}'\n",
                       settings.tables.tuples, settings.tables.tuples, settings.page_bytes(),
                       settings.warp_lists ? "warp" : "thread", settings.allocator.name);
  }

  double updates(const deck::Deck& /*deck*/) const override { return 0; }

  report::Point run(const RunContext& context) override {
    const HashJoinSettings settings = read_hash_join(context.deck);
    if (!reference_ || reference_->tables != settings.tables) reference_.emplace(settings.tables);
    const auto run = [&](const HeapPlace& place, report::Point& point) {
      HashJoinRuns runs = run_hash_join(
          settings, place, reference_->build, reference_->probe, most_rows,
          [&](int done) { context.progress.update(static_cast<double>(done) / settings.runs()); });
      point.work.scalar = "uint32";
      point.warm_up = runs.warm_up;
      add_times(point, runs);
      point.figures.push_back({"rows", "rows", static_cast<double>(runs.sums.back().rows)});
      point.figures.push_back({"pages", "pages", static_cast<double>(runs.pages)});
      point.verification = compare(*reference_, runs);
    };
    return run_heap_point(context, settings.allocator.config.bytes, hash_join_array_bytes(settings), run);
  }

 private:
  static void add_times(report::Point& point, const HashJoinRuns& runs) {
    const auto spread = [&](auto part) {
      std::vector<double> values;
      for (const HashJoinTimes& times : runs.times) values.push_back(part(times));
      return report::spread_of(values);
    };
    const auto add = [&](const char* name, const char* title, auto part, bool compared = false) {
      point.figures.push_back({name, title, 1e6 * spread(part).median, compared});
    };
    point.wall = spread([](const HashJoinTimes& t) { return t.total(); });
    add("partition_us", "partition [us]", [](const HashJoinTimes& t) { return t.partition; });
    add("build_us", "build [us]", [](const HashJoinTimes& t) { return t.build; });
    add("probe_us", "probe [us]", [](const HashJoinTimes& t) { return t.probe; });
    add(
        "join_us", "join [us]", [](const HashJoinTimes& t) { return t.total(); }, true);
    add("free_us", "free [us]", [](const HashJoinTimes& t) { return t.free; });
  }

  std::optional<Reference> reference_;
};

}  // namespace

std::unique_ptr<Problem> make_hash_join() {
  return std::make_unique<HashJoin>();
}

}  // namespace haloheap
