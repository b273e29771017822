// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/native/native.hpp>
#include <haloheap/comm/agree.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/heap_point.hpp>
#include <haloheap/miniapp/report/comparisons.hpp>
#include <haloheap/miniapp/run_memory.hpp>

#include <fmt/format.h>

namespace haloheap {

void require_one_rank(const deck::Deck& deck, int ranks) {
  if (ranks == 1) return;
  deck.reject("problem",
              fmt::format("'{}' runs on one rank, not on {}", deck.get<std::string>("problem"), ranks),
              "start one rank");
}

report::Quantity speedup_over_native() {
  return {"speedup", "", "speed-up",
          "The time by which allocators are compared, of allocator native in the same sweep over this one's.",
          report::Shown{"speed-up", 1, ".2f"}};
}

report::Comparison over_native() {
  const auto ratio = [](const report::Point& own, const report::Point& native) -> std::optional<double> {
    const auto time = merit_of(own), of_native = merit_of(native);
    return time > 0.0 && of_native ? std::optional(*of_native / *time) : std::nullopt;
  };
  return {{report::Settings{{"allocator.name", std::string(allocators::Native::name)}}}, ratio};
}

report::Point run_heap_point(const RunContext& context, std::size_t pool_bytes, std::size_t array_bytes,
                             const std::function<void(const HeapSetup&, report::Point&)>& run) {
  const deck::Deck& deck = context.deck;
  report::Point point;
  point.work.problem = deck.get<std::string>("problem");
  point.ranks = context.communicator.size();
  point.rank_grid = {point.ranks};
  check_memory(context.communicator, {memory_demand(deck, "memory.fields", pool_bytes),
                                      memory_demand(deck, "memory.buffers", array_bytes)});
  agree(context.communicator, [&] {
    RunMemory memory(deck);
    const backend::Instance instance(backend::Priority::low);
    run({instance.exec(), memory.resource("memory.fields", pool_bytes),
         memory.resource("memory.buffers", array_bytes)},
        point);
    point.measure(report::memory_use(), {memory.peak_bytes()});
  });
  return point;
}

}  // namespace haloheap
