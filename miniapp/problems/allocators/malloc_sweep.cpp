// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/malloc_run.hpp>
#include <haloheap/miniapp/problems/heap_point.hpp>
#include <haloheap/miniapp/problems/problems.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

constexpr double mib = 1024.0 * 1024.0;

/// Seconds of each repetition, all kernels that were timed.
std::vector<double> totals(const MallocResult& result) {
  if (!result.at_once.empty()) return result.at_once;
  std::vector<double> all = result.allocate;
  for (const auto* more : {&result.free, &result.churn})
    for (std::size_t i = 0; i < more->size(); ++i) all[i] += (*more)[i];
  return all;
}

/// What a point measured, with what is known of it.
struct MallocPoint {
  const MallocSettings& settings;
  const MallocResult& result;
  report::Timing timing;

  bool fills() const { return settings.pattern == MallocPattern::fill; }
  /// Of heaps that know it.
  std::optional<allocators::HeapStatistics> full() const {
    return settings.allocator.promises.resets ? std::optional(result.full) : std::nullopt;
  }
};

using Number = std::optional<double>;

/// Microseconds of a kernel; nothing where it was not timed.
Number median(const std::vector<double>& seconds) {
  return seconds.empty() ? Number() : Number(1e6 * report::spread_of(seconds).median);
}
Number minimum(const std::vector<double>& seconds) {
  return seconds.empty() ? Number() : Number(1e6 * report::spread_of(seconds).minimum);
}

Number footprint_over_in_use(const MallocPoint& point) {
  const auto full = point.full();
  if (!full || full->in_use == 0) return std::nullopt;
  return static_cast<double>(full->footprint) / static_cast<double>(full->in_use);
}

Number utilisation(const MallocPoint& point) {
  if (!point.full() || !point.fills()) return std::nullopt;
  return 100 * static_cast<double>(point.result.served_bytes) /
         static_cast<double>(point.settings.allocator.config.bytes);
}

Number fragmentation(const MallocPoint& point) {
  const bool holes = point.fills() ? point.settings.allocator.promises.frees
                                   : point.settings.pattern == MallocPattern::churn;
  const std::size_t free = point.result.holes.capacity - point.result.holes.in_use;
  if (!point.full() || !holes || free == 0) return std::nullopt;
  return 100 * (1 - static_cast<double>(point.result.holes.largest_free_run) / static_cast<double>(free));
}

/// Nothing where there is no block.
Number range_bytes(const AddressRange& range) {
  return range.bytes() > 0 ? Number(static_cast<double>(range.bytes())) : Number();
}

Number range_over_least(const MallocPoint& point) {
  const std::uint64_t least = point.result.range_least;
  if (least == 0) return std::nullopt;
  return static_cast<double>(point.result.range.bytes()) / static_cast<double>(least);
}

/// A member of the heap's statistics when most blocks are held.
auto of_heap(std::size_t allocators::HeapStatistics::*member) {
  return [member](const MallocPoint& point) {
    const auto full = point.full();
    return full ? std::optional((*full).*member) : std::nullopt;
  };
}

auto of_steps(double StepCounts::*member) {
  return [member](const MallocPoint& point) {
    return point.result.steps ? Number((*point.result.steps).*member) : Number();
  };
}

report::Quantities<MallocPoint> times() {
  using M = MallocPoint;
  using report::of_merit;
  using report::Shown;
  return {
      {of_merit({"figures.allocate_median_us", "us", "allocate",
                 "Time of the kernel in which each thread asks (with fill: until it gets nothing), by events "
                 "around the "
                 "launch: the median.",
                 Shown{}}),
       [](const M& m) { return median(m.result.allocate); }},
      {{"figures.allocate_minimum_us", "us", "fastest allocate",
        "Time of that kernel in the fastest repetition.", Shown{"allocate min"}},
       [](const M& m) { return minimum(m.result.allocate); }},
      {{"figures.churn_median_us", "us", "churn",
        "Time of the kernel in which each thread replaces malloc.rounds of its blocks: the median.", Shown{}},
       [](const M& m) { return median(m.result.churn); }},
      {{"figures.churn_minimum_us", "us", "fastest churn", "Time of that kernel in the fastest repetition.",
        Shown{"churn min"}},
       [](const M& m) { return minimum(m.result.churn); }},
      {{"figures.free_median_us", "us", "free",
        "Time of the kernel in which each thread gives back its blocks: the median.", Shown{}},
       [](const M& m) { return median(m.result.free); }},
      {{"figures.free_minimum_us", "us", "fastest free", "Time of that kernel in the fastest repetition.",
        Shown{"free min"}},
       [](const M& m) { return minimum(m.result.free); }},
      {{"figures.at_once_median_us", "us", "allocate and free",
        "Time of the kernel in which each thread gives its block back as soon as it has it: the median.",
        Shown{}},
       [](const M& m) { return median(m.result.at_once); }},
      {{"figures.at_once_minimum_us", "us", "fastest allocate and free",
        "Time of that kernel in the fastest repetition.", Shown{"at once min"}},
       [](const M& m) { return minimum(m.result.at_once); }},
      {{"figures.create_us", "us", "create",
        "Time to make the heap, its pool's memory included; by the host's clock, all others by events."},
       [](const M& m) { return 1e6 * m.result.create; }},
      {{"figures.reset_us", "us", "reset", "Time to make the heap empty."},
       [](const M& m) { return 1e6 * m.result.reset; }},
  };
}

report::Quantities<MallocPoint> heap_quantities() {
  using M = MallocPoint;
  using report::Shown;
  return {
      {{"figures.served", "", "served", "Requests of the allocating kernel that got memory."},
       [](const M& m) { return m.result.served; }},
      {{"figures.failures", "", "failures",
        "Requests that got none, those of the churn included. With fill, all threads ask until that happens, "
        "and "
        "there is none of this.",
        Shown{}},
       [](const M& m) { return m.fills() ? std::nullopt : std::optional(m.result.failures); }},
      {{"figures.steps_thread", "", "steps",
        "Probes of a request, on average of the threads, of allocators that count them; in a run of their "
        "own.",
        Shown{}},
       of_steps(&StepCounts::threads)},
      {{"figures.steps_warp", "", "steps of warp",
        "Probes of a request, of the slowest of each 32 threads; in a run of their own.", Shown{}},
       of_steps(&StepCounts::warps)},
      {{"figures.pass_over_packed", "", "pass over packed",
        "Time of a kernel in which each thread writes its own block, over that of the same kernel over a "
        "packed "
        "array: 1 if neighbouring lanes got neighbouring memory. For requests of one size of 16 bytes and "
        "more that is a multiple of 4, up "
        "to 1 GiB of blocks, in a run of its own: the fastest of 5 passes each, after one that is not "
        "counted. The "
        "array stands beside the pool, in the same memory."},
       [](const M& m) { return m.result.pass_over_packed; }},
      {{"figures.block_distance_bytes", "bytes", "nearest blocks",
        "Least distance between the beginnings of two blocks of the allocating kernel: what a block takes at "
        "least, with its header and what is left free for the alignment of the next. Not with fill.",
        Shown{}},
       [](const M& m) { return m.result.block_distance; }},
      {{"figures.address_range_bytes", "bytes", "address range",
        "From the first byte of any block to the last of any, after the allocating kernel or the churn "
        "of the last repetition. Not with fill or free_at_once."},
       [](const M& m) { return range_bytes(m.result.range); }},
      {{"figures.all_address_ranges_bytes", "bytes", "range of all repetitions",
        "The same of the blocks of all repetitions together, warm-ups too, between which all are given "
        "back."},
       [](const M& m) { return range_bytes(m.result.all_ranges); }},
      {{"figures.address_range_over_least", "", "range/least",
        "address_range_bytes over the bytes that were asked for: 1 if all blocks stand side by side.",
        Shown{}},
       range_over_least},
      {{"figures.in_use_bytes", "bytes", "in use", "Bytes in use after the allocating kernel or the churn."},
       of_heap(&allocators::HeapStatistics::in_use)},
      {{"figures.footprint_bytes", "bytes", "footprint",
        "Bytes that requests of another size cannot use then."},
       of_heap(&allocators::HeapStatistics::footprint)},
      {{"figures.high_water_bytes", "bytes", "largest footprint", "The largest footprint that was seen."},
       of_heap(&allocators::HeapStatistics::high_water)},
      {{"figures.metadata_bytes", "bytes", "metadata", "Bytes of the allocator's metadata."},
       of_heap(&allocators::HeapStatistics::metadata)},
      {{"figures.footprint_over_in_use", "", "footprint/in use", "footprint_bytes / in_use_bytes.", Shown{}},
       footprint_over_in_use},
      {{"figures.utilisation_percent", "%", "utilisation",
        "With fill: bytes that were asked for and served, over the pool.", Shown{}},
       utilisation},
      {{"figures.fragmentation_percent", "%", "fragmentation",
        "1 - largest free run / free bytes, after the churn, or when a random half of a full pool was given "
        "back.",
        Shown{}},
       fragmentation},
      {speedup_over_native(), over_native()},
  };
}

const report::Quantities<MallocPoint>& malloc_quantities() {
  static const auto all = report::Quantities<MallocPoint>{}
                              .with(&MallocPoint::timing, report::timings())
                              .with(std::identity{}, times())
                              .with(std::identity{}, heap_quantities());
  return all;
}

void report_malloc(const MallocSettings& malloc, const MallocResult& result, report::Point& point) {
  point.measure(malloc_quantities(), {malloc, result, {report::spread_of(totals(result))}});
  point.verification = verification_of(result);
  if (result.wrong.value_or(0) > 0)
    point.notes.push_back(fmt::format("{} of {} blocks are not aligned or did not keep what was written",
                                      *result.wrong, result.served));
  if (result.lost.value_or(0) > 0)
    point.notes.push_back(fmt::format("{} bytes are lost: in use although all was given back", *result.lost));
}

/// Requests of many threads at once ([Pham2022], section 5.2.2 and Figures 8 to 11).
class MallocSweep final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    require_one_rank(deck, ranks);
    const MallocSettings malloc = read_malloc(deck);
    return fmt::format("'{}', {} threads, requests of {} to {} bytes\n  pool {:.2f} MiB, arrays {:.2f} MiB\n",
                       malloc.allocator.name, malloc.threads, malloc.sizes.smallest, malloc.sizes.largest,
                       static_cast<double>(malloc.allocator.config.bytes) / mib,
                       static_cast<double>(malloc_array_bytes(malloc) + malloc_passed_bytes(malloc)) / mib);
  }

  report::QuantityList quantities() const override {
    return list_of(malloc_quantities(), report::memory_use());
  }

  report::Point run(const RunContext& context) override {
    const MallocSettings malloc = read_malloc(context.deck);
    const double runs = malloc.warm_ups + malloc.repetitions;
    int done = 0;
    return run_heap_point(context, malloc.allocator.config.bytes + malloc_passed_bytes(malloc),
                          malloc_array_bytes(malloc), [&](const HeapSetup& setup, report::Point& point) {
                            const MallocResult result =
                                run_malloc(setup.exec, malloc, setup.pool, setup.arrays,
                                           [&] { context.progress.update(++done / runs); });
                            report_malloc(malloc, result, point);
                          });
  }
};

}  // namespace

ProblemEntry malloc_sweep_problem() {
  return {"malloc_sweep",
          "requests of many threads at once ([Pham2022], Figures 8 to 11)",
          {add_allocator_keys, add_malloc_keys, add_memory_keys},
          make_problem<MallocSweep>,
          AdviceKind::allocator};
}

}  // namespace haloheap
