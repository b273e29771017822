// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/names.hpp>
#include <haloheap/miniapp/problems/allocators/hash_join.hpp>
#include <haloheap/miniapp/problems/allocators/hash_join_kernels.hpp>
#include <haloheap/miniapp/problems/allocators/output_page.hpp>
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/repetitions.hpp>
#include <haloheap/miniapp/report/result.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace haloheap {

/// Who fills a list of output pages (deck: hash_join.list).
enum class ListOwner { thread, warp };

constexpr auto names_of(ListOwner) {
  return name_table<ListOwner>("owner", {{ListOwner::thread, "thread"}, {ListOwner::warp, "warp"}});
}

namespace {

void add_hash_join_keys(deck::Schema& schema) {
  deck::Section& join = schema.section("hash_join", "Problem hash_join: output pages from the allocator");
  join.integer("tuples", 1 << 20).range(1, 1 << 28).unit("tuples").help("Of each of the two tables");
  join.real("match", 1.0).range(0.0, 1.0).help("Share of the probing tuples whose key the other table has");
  join.real("skew", 0.0)
      .range(0.0, 0.99)
      .help("Of the keys that match: how often the k-th occurs falls with k to this power; 0: all as often");
  join.integer("copies", 1)
      .range(1, 1024)
      .unit("tuples")
      .help("Tuples of the table that is probed with the same key: rows for each match");
  join.integer("per_thread", 1).range(1, 1 << 20).unit("tuples").help("Probing tuples of a thread");
  join.choice("list", ListOwner::thread)
      .help("Who fills a list of output pages, of allocator.page bytes each: every thread, or every warp");
}

}  // namespace

HashJoinSettings read_hash_join(const deck::Deck& deck) {
  require_allocator(deck, lane_allocators(), "the threads of a probing team do not ask together");
  HashJoinSettings settings;
  settings.allocator = read_allocator(deck);
  settings.tables = {.tuples = static_cast<std::uint32_t>(deck.number("hash_join.tuples")),
                     .match = deck.get<double>("hash_join.match"),
                     .skew = deck.get<double>("hash_join.skew"),
                     .copies = static_cast<std::uint32_t>(deck.number("hash_join.copies")),
                     .seed = settings.allocator.seed};
  settings.per_thread = deck.number("hash_join.per_thread");
  settings.warp_lists = deck.choice<ListOwner>("hash_join.list") == ListOwner::warp;
  read_repetitions(deck, settings);
  if (OutputPage::capacity_of(settings.page_bytes()) == 0)
    deck.reject("allocator.page",
                fmt::format("an output page of {} bytes has no room for a row", settings.page_bytes()),
                "use 32 bytes or more");
  if (settings.page_bytes() > settings.allocator.promises.largest)
    deck.reject(
        "allocator.page",
        fmt::format("an output page of {} bytes is more than '{}' can serve at once, which is {}",
                    settings.page_bytes(), settings.allocator.name, settings.allocator.promises.largest),
        "use smaller pages or a larger allocator.pool");
  return settings;
}

namespace {

/// Up to so many rows are compared one by one, more of them by their number and the sum of their digests.
constexpr std::size_t max_rows = std::size_t{1} << 20;

/// Tables and the host's join, which all allocators of a sweep share.
struct Reference {
  JoinTables tables;
  std::vector<Tuple> build, probe;
  HostJoin join;

  explicit Reference(const JoinTables& of)
      : tables(of), build(of.build()), probe(of.probe()), join(host_join(build, probe, max_rows)) {
    std::sort(join.rows.begin(), join.rows.end());
  }
};

report::Verification compare(const Reference& reference, HashJoinRuns& runs) {
  const auto wrong = std::count_if(runs.sums.begin(), runs.sums.end(),
                                   [&](const JoinSum& sum) { return sum != reference.join.sum; });
  report::Verification result =
      report::verification_of(static_cast<std::size_t>(wrong), runs.sums.size(), "joins");
  std::sort(runs.rows.begin(), runs.rows.end());
  if (result.bitwise && runs.rows != reference.join.rows)
    result = report::verification_of(1, 1, "sets of rows");
  return result;
}

/// Median microseconds of what `part` is of all times.
template <class Part>
auto median_us(Part part) {
  return [part](const HashJoinRuns& runs) { return 1e6 * report::spread_of(runs.times, part).median; };
}

const report::Quantities<HashJoinRuns>& hash_join_quantities() {
  using R = HashJoinRuns;
  using T = HashJoinTimes;
  using report::of_merit;
  using report::Shown;
  static const auto all =
      report::Quantities<R>{}
          .with(
              [](const R& r) {
                return report::Timing{report::spread_of(r.times, &T::total), r.warm_up};
              },
              report::timings())
          .add({
              {{"figures.partition_us", "us", "partition",
                "Time of the kernels of both tables' partitions: the median.", Shown{}},
               median_us(&T::partition)},
              {{"figures.build_us", "us", "build", "Time of the kernels of the chains.", Shown{}},
               median_us(&T::build)},
              {{"figures.probe_us", "us", "probe", "Time of the kernel of the probing, which allocates.",
                Shown{}},
               median_us(&T::probe)},
              {of_merit({"figures.join_us", "us", "join", "Time of partition, build and probe together.",
                         Shown{}}),
               median_us(&T::total)},
              {{"figures.free_us", "us", "free", "Time to free all output pages.", Shown{}},
               median_us(&T::free)},
              {{"figures.rows", "", "rows", "Rows of the result.", Shown{}},
               [](const R& r) { return r.sums.back().rows; }},
              {{"figures.pages", "", "pages", "Output pages of the result.", Shown{}}, &R::pages},
              {speedup_over_native(), over_native()},
          });
  return all;
}

/// The case study of [Pham2022], section 5.2.3.
class HashJoin final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    require_one_rank(deck, ranks);
    const HashJoinSettings settings = read_hash_join(deck);
    return fmt::format("{} tuples joined with {}, output pages of {} bytes a {} from '{}'\n",
                       settings.tables.tuples, settings.tables.tuples, settings.page_bytes(),
                       settings.warp_lists ? "warp" : "thread", settings.allocator.name);
  }

  report::QuantityList quantities() const override {
    return list_of(hash_join_quantities(), report::memory_use());
  }

  report::Point run(const RunContext& context) override {
    const HashJoinSettings settings = read_hash_join(context.deck);
    if (!reference_ || reference_->tables != settings.tables) reference_.emplace(settings.tables);
    const auto run = [&](const HeapSetup& setup, report::Point& point) {
      HashJoinRuns runs = run_hash_join(
          settings, setup, reference_->build, reference_->probe, max_rows,
          [&](int done) { context.progress.update(static_cast<double>(done) / settings.runs()); });
      point.work.scalar = "uint32";
      point.measure(hash_join_quantities(), runs);
      point.verification = compare(*reference_, runs);
    };
    return run_heap_point(context, settings.allocator.config.bytes, hash_join_array_bytes(settings), run);
  }

 private:
  std::optional<Reference> reference_;
};

}  // namespace

ProblemEntry hash_join_problem() {
  return {"hash_join",
          "partitioned hash join with output pages ([Pham2022])",
          {add_allocator_keys, add_hash_join_keys, add_memory_keys},
          make_problem<HashJoin>,
          AdviceKind::allocator};
}

}  // namespace haloheap
