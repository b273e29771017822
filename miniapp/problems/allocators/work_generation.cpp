// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/work_generation.hpp>
#include <haloheap/miniapp/problems/allocators/work_generation_kernels.hpp>
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/repetitions.hpp>
#include <haloheap/miniapp/report/result.hpp>

#include <fmt/format.h>

#include <functional>

namespace haloheap {
namespace {

constexpr double max_piece_bytes = 1 << 30;

void add_work_generation_keys(deck::Schema& schema) {
  deck::Section& work = schema.section("work", "Problem work_generation: each thread makes a piece of work");
  work.integer("threads", 16384).range(1, 1 << 28).unit("threads").help("Threads, each with one piece");
  work.integer("smallest", 4)
      .range(WorkSettings::element_bytes, max_piece_bytes)
      .unit("bytes")
      .help("Of pieces the smallest, a multiple of 4");
  work.integer("largest", 64)
      .range(WorkSettings::element_bytes, max_piece_bytes)
      .unit("bytes")
      .help("Of pieces the largest, a multiple of 4; all multiples of 4 between them are as frequent");
}

RequestSizes read_work_elements(const deck::Deck& deck, const AllocatorSettings& allocator) {
  const auto elements = [&](const char* key) {
    const auto bytes = static_cast<std::uint32_t>(deck.number(key));
    if (bytes % WorkSettings::element_bytes != 0)
      deck.reject(key, fmt::format("a piece of {} bytes has no whole number of elements", bytes),
                  fmt::format("use a multiple of {}", WorkSettings::element_bytes));
    return bytes / WorkSettings::element_bytes;
  };
  const RequestSizes sizes = {elements("work.smallest"), elements("work.largest"),
                              static_cast<std::uint32_t>(allocator.seed)};
  const std::size_t largest = std::size_t{sizes.largest} * WorkSettings::element_bytes;
  if (sizes.largest < sizes.smallest)
    deck.reject("work.largest",
                fmt::format("{} bytes are less than work.smallest = {}", largest,
                            sizes.smallest * WorkSettings::element_bytes),
                "use a larger one, or the same for pieces that are all alike");
  if (largest > allocator.promises.largest)
    deck.reject("work.largest",
                fmt::format("'{}' serves no more than {} bytes a request, not {}", allocator.name,
                            allocator.promises.largest, largest),
                "use smaller pieces, a larger allocator.pool or allocator.page, or another allocator");
  return sizes;
}

}  // namespace

WorkSettings read_work_generation(const deck::Deck& deck) {
  require_allocator(deck, lane_allocators(), "here each thread asks for itself");
  WorkSettings settings;
  settings.allocator = read_allocator(deck);
  settings.threads = deck.number("work.threads");
  settings.elements = read_work_elements(deck, settings.allocator);
  read_repetitions(deck, settings);
  return settings;
}

namespace {

/// Median microseconds of what `part` is of all times.
template <class Part>
auto work_median_us(Part part) {
  return [part](const WorkRuns& runs) { return 1e6 * report::spread_of(runs.times, part).median; };
}

std::optional<double> over_without(const WorkRuns& runs) {
  const double without = report::spread_of(runs.times, &WorkTimes::without).median;
  return without > 0 ? std::optional(report::spread_of(runs.times, &WorkTimes::with_heap).median / without)
                     : std::nullopt;
}

report::Quantities<WorkRuns> times_with_heap() {
  using T = WorkTimes;
  using report::of_merit;
  using report::Shown;
  return {
      {{"figures.generate_us", "us", "generate",
        "Time of the kernel in which each thread allocates its piece and writes it: the median.", Shown{}},
       work_median_us(&T::generate)},
      {{"figures.consume_us", "us", "consume",
        "Time of the kernel that reads all pieces and frees them, where the allocator frees.", Shown{}},
       work_median_us(&T::consume)},
      {of_merit({"figures.work_us", "us", "work", "Time of both together.", Shown{}}),
       work_median_us(&T::with_heap)},
  };
}

report::Quantities<WorkRuns> times_without() {
  using R = WorkRuns;
  using T = WorkTimes;
  using report::Shown;
  return {
      {{"figures.packed_sum_us", "us", "count and sum",
        "Without a heap: time of the kernel in which each thread counts its elements, and of the exclusive "
        "prefix sum."},
       work_median_us(&T::sum)},
      {{"figures.packed_allocate_us", "us", "one allocation",
        "Without a heap: time to allocate memory for all pieces, from memory.buffers."},
       work_median_us(&T::allocate)},
      {{"figures.packed_fill_us", "us", "fill",
        "Without a heap: time of the kernel in which each thread writes its piece."},
       work_median_us(&T::fill)},
      {{"figures.packed_read_us", "us", "read",
        "Without a heap: time of the kernel that reads all pieces, and to give the memory back."},
       work_median_us(&T::read)},
      {{"figures.packed_us", "us", "work without a heap", "Time of these four together.", Shown{}},
       work_median_us(&T::without)},
      {{"figures.over_packed", "", "over packed",
        "work_us / packed_us: below 1 the heap is faster than count, sum, allocate and fill.",
        Shown{"over packed", 1, ".2f"}},
       over_without},
      {{"figures.packed_bytes", "bytes", "elements", "Bytes of the elements of all pieces."}, &R::bytes},
      {{"figures.in_use_bytes", "bytes", "in use",
        "Bytes of the heap in use while it holds all pieces, of allocators that know it."},
       &R::in_use},
  };
}

const report::Quantities<WorkRuns>& work_quantities() {
  using R = WorkRuns;
  static const auto all =
      report::Quantities<R>{}
          .with(
              [](const R& r) {
                return report::Timing{report::spread_of(r.times, &WorkTimes::with_heap), r.warm_up};
              },
              report::timings())
          .with(std::identity{}, times_with_heap())
          .with(std::identity{}, times_without())
          .add({{speedup_over_native(), over_native()}});
  return all;
}

/// Work of a size that only its thread knows ([Winter2021]): from a heap, and packed by a prefix sum.
class WorkGeneration final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    require_one_rank(deck, ranks);
    const WorkSettings settings = read_work_generation(deck);
    return fmt::format("{} threads, each with a piece of {} to {} bytes from '{}'\n", settings.threads,
                       settings.elements.smallest * WorkSettings::element_bytes,
                       settings.elements.largest * WorkSettings::element_bytes, settings.allocator.name);
  }

  report::QuantityList quantities() const override {
    return list_of(work_quantities(), report::memory_use());
  }

  report::Point run(const RunContext& context) override {
    const WorkSettings settings = read_work_generation(context.deck);
    const auto run = [&](const HeapSetup& setup, report::Point& point) {
      const WorkRuns runs = run_work_generation(settings, setup, [&](int done) {
        context.progress.update(static_cast<double>(done) / settings.runs());
      });
      point.work.scalar = "uint32";
      point.measure(work_quantities(), runs);
      point.verification = report::verification_of(static_cast<std::size_t>(runs.wrong),
                                                   static_cast<std::size_t>(runs.pieces), "pieces");
    };
    return run_heap_point(context, settings.allocator.config.bytes, work_array_bytes(settings), run);
  }
};

}  // namespace

ProblemEntry work_generation_problem() {
  return {"work_generation",
          "work of any size a thread, from a heap and by a prefix sum ([Winter2021])",
          {add_allocator_keys, add_work_generation_keys, add_memory_keys},
          make_problem<WorkGeneration>,
          AdviceKind::allocator};
}

}  // namespace haloheap
