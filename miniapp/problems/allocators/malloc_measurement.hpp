// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_MALLOC_MEASUREMENT_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_MALLOC_MEASUREMENT_HPP

#include <haloheap/allocators/fetch.hpp>
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/miniapp/problems/allocators/malloc_kernels.hpp>
#include <haloheap/miniapp/problems/allocators/malloc_run.hpp>
#include <haloheap/miniapp/problems/allocators/timed_runs.hpp>

#include <algorithm>
#include <limits>

namespace haloheap {

/// Measures one point of malloc_sweep with a heap of type A.
template <class A>
class MallocMeasurement {
  using Exec = backend::Exec;
  using Blocks = malloc_kernels::Blocks;
  using Held = malloc_kernels::Held;
  using Lists = malloc_kernels::Lists;
  /// 2048 threads on a multiprocessor.
  using FullOccupancy = Kokkos::LaunchBounds<256, 8>;
  static constexpr std::uint64_t all_there_are = std::numeric_limits<std::uint32_t>::max();
  static constexpr int passes = 5;

 public:
  /// @param arrays where the program's own arrays stand; the pool stands in config.memory
  MallocMeasurement(const Exec& exec, const MallocSettings& malloc, allocators::HeapConfig config,
                    const std::shared_ptr<memory::MemoryResource>& arrays)
      : exec_(exec),
        malloc_(malloc),
        timer_(exec),
        memory_(config.memory),
        heap_(create(std::move(config))),
        held_(arrays, "haloheap::malloc::blocks", static_cast<std::size_t>(malloc.blocks())),
        keys_(arrays, "haloheap::malloc::keys", static_cast<std::size_t>(malloc.blocks())),
        failures_(arrays, "haloheap::malloc::failures", 1),
        lists_(exec, arrays, malloc_lists(malloc)) {
    malloc_kernels::clear(exec_, blocks());
  }

  MallocResult run(const std::function<void()>& done) {
    result_.reset = timer_([&] { heap_.reset(exec_); });
    if (malloc_.free_share < 1) occupy();
    const int runs = malloc_.warm_ups + malloc_.repetitions;
    for (int i = 0; i < runs; ++i) {
      repetition(i + 1 == runs);
      if (i + 1 == malloc_.warm_ups)
        result_.allocate.clear(), result_.free.clear(), result_.churn.clear(), result_.at_once.clear();
      done();
    }
    if (malloc_.pattern != MallocPattern::fill && !malloc_.by_warps) count_steps();
    if (malloc_passed_bytes(malloc_) > 0) measure_passes();
    if (malloc_.free_share < 1) block_lists::release(exec_, heap_.handle(), lists_);
    const allocators::Promises& promises = malloc_.allocator.promises;
    if (malloc_.verify && promises.frees && promises.resets) result_.lost = heap_.statistics(exec_).in_use;
    exec_.fence("haloheap::malloc");
    return std::move(result_);
  }

 private:
  A create(allocators::HeapConfig config) {
    exec_.fence("haloheap::malloc");
    const base::Stopwatch watch;
    A heap(exec_, std::move(config));
    exec_.fence("haloheap::malloc::create");
    result_.create = watch.seconds();
    return heap;
  }

  Blocks blocks() const { return {held_.view().data(), keys_.view().data(), malloc_.blocks()}; }

  std::vector<const void*> starts() const {
    std::vector<const void*> all;
    for (const auto& held : allocators::fetch(exec_, held_.view().data(), held_.size()))
      all.push_back(held.block);
    return all;
  }

  /// All that the pool has, and then some at random are given back.
  void occupy() {
    const auto seed = static_cast<std::uint32_t>(malloc_.allocator.seed);
    block_lists::grow(exec_, heap_.handle(), lists_, malloc_.sizes, all_there_are);
    block_lists::thin(exec_, heap_.handle(), lists_, malloc_.free_share, seed);
  }

  void start() {
    if (malloc_.cold || !malloc_.allocator.promises.frees) heap_.reset(exec_);
    malloc_kernels::clear(exec_, blocks());
    Kokkos::deep_copy(exec_, failures_.view(), std::uint64_t{0});
  }

  void repetition(bool last) {
    start();
    if (malloc_.pattern == MallocPattern::fill)
      fill(last);
    else if (malloc_.pattern == MallocPattern::free_at_once)
      free_at_once(last);
    else
      allocate(last);
  }

  void allocate(bool last) {
    const auto heap = heap_.handle();
    result_.allocate.push_back(timer_([&] {
      if (malloc_.by_warps)
        malloc_kernels::by_warps(exec_, "haloheap::malloc::allocate_by_warps", malloc_.threads, ask());
      else if (malloc_.full_occupancy)
        malloc_kernels::allocate<typename A::Handle, FullOccupancy>(exec_, heap, blocks(), malloc_.sizes);
      else
        malloc_kernels::allocate(exec_, heap, blocks(), malloc_.sizes);
    }));
    if (last) {
      keep(malloc_kernels::served(exec_, blocks(), malloc_.sizes));
      result_.block_distance = min_distance(starts());
    }
    if (malloc_.pattern == MallocPattern::churn)
      result_.churn.push_back(timer_([&] {
        malloc_kernels::churn(exec_, heap, blocks(), malloc_.sizes, malloc_.held, malloc_.rounds,
                              failures_.view().data());
      }));
    if (last) look();
    if (last && malloc_.verify)
      result_.wrong = malloc_kernels::wrong_blocks(exec_, blocks(), malloc_.sizes, alignment());
    const double seconds = timer_([&] { release(); });
    if (malloc_.pattern == MallocPattern::allocate_free) result_.free.push_back(seconds);
    look_at_addresses(last);
  }

  /// Behind all that is timed. The blocks are given back, but where they were is still known.
  void look_at_addresses(bool last) {
    const AddressRange range = malloc_kernels::address_range(exec_, blocks(), malloc_.sizes);
    result_.all_ranges = result_.all_ranges.with(range);
    if (!last) return;
    result_.range = range;
    result_.range_least = malloc_kernels::served(exec_, blocks(), malloc_.sizes).bytes;
  }

  malloc_kernels::AllocateBlock<typename A::Handle> ask() const {
    return {heap_.handle(), blocks().held, malloc_.sizes};
  }

  void release() {
    if (malloc_.by_warps)
      malloc_kernels::by_warps(
          exec_, "haloheap::malloc::free_by_warps", malloc_.threads,
          malloc_kernels::ReleaseBlock<typename A::Handle>{heap_.handle(), blocks().held});
    else
      malloc_kernels::release(exec_, heap_.handle(), blocks());
  }

  /// The setting of [Winter2021], which [Pham2022] leaves: blocks are given back before they are used.
  void free_at_once(bool last) {
    result_.at_once.push_back(timer_([&] {
      if (malloc_.by_warps)
        malloc_kernels::by_warps(exec_, "haloheap::malloc::allocate_and_free_by_warps", malloc_.threads,
                                 malloc_kernels::AllocateAndFreeBlock<typename A::Handle>{ask()});
      else
        malloc_kernels::allocate_and_free(exec_, heap_.handle(), blocks(), malloc_.sizes);
    }));
    if (last) {
      keep(malloc_kernels::served(exec_, blocks(), malloc_.sizes));
      look();
    }
    malloc_kernels::clear(exec_, blocks());  // nobody has them any more
  }

  void fill(bool last) {
    const auto heap = heap_.handle();
    result_.allocate.push_back(
        timer_([&] { block_lists::grow(exec_, heap, lists_, malloc_.sizes, all_there_are); }));
    if (last) keep(lists_.sum(exec_));
    if (last) look();
    if (last && malloc_.verify)
      result_.wrong = malloc_kernels::wrong_blocks(exec_, lists_, malloc_.sizes, alignment());
    if (!malloc_.allocator.promises.frees) return;
    if (!last) return result_.free.push_back(timer_([&] { block_lists::release(exec_, heap, lists_); }));
    // Half of them at random, and the rest: two kernels, whose time is not that of one.
    block_lists::thin(exec_, heap, lists_, 0.5, static_cast<std::uint32_t>(malloc_.allocator.seed));
    result_.holes = heap_.statistics(exec_);
    block_lists::release(exec_, heap, lists_);
  }

  void keep(const Lists::Sum& sum) {
    result_.served = sum.blocks;
    result_.served_bytes = sum.bytes;
  }

  void look() {
    result_.full = result_.holes = heap_.statistics(exec_);
    result_.failures = allocators::fetch(exec_, failures_.view().data(), 1).front();
    if (malloc_.pattern != MallocPattern::fill)
      result_.failures += static_cast<std::uint64_t>(malloc_.blocks()) - result_.served;
  }

  std::size_t alignment() const {
    const allocators::Promises& promises = malloc_.allocator.promises;
    return malloc_.sizes.smallest >= 16 ? promises.alignment_from_16 : promises.alignment;
  }

  void count_steps() {
    using Handle = typename A::Handle;
    if constexpr (CountsSteps<Handle>) {
      start();
      malloc_kernels::allocate_and_count(exec_, heap_.handle(), blocks(), malloc_.sizes);
      result_.steps = step_counts(exec_, keys_.view().data(), malloc_.blocks());
      malloc_kernels::release(exec_, heap_.handle(), blocks());
    }
  }

  /// In a run of its own: what a pass touches is not in the cache for what is timed elsewhere.
  void measure_passes() {
    start();
    malloc_kernels::allocate(exec_, heap_.handle(), blocks(), malloc_.sizes);
    const std::uint32_t bytes = malloc_.sizes.smallest;
    const std::size_t all = malloc_passed_bytes(malloc_);
    Blocks passed = blocks();
    passed.count = static_cast<int>(all / bytes);
    if (malloc_kernels::served(exec_, passed, malloc_.sizes).blocks ==
        static_cast<std::uint64_t>(passed.count)) {
      const memory::Array<std::byte> packed(memory_, "haloheap::malloc::packed", all);
      std::vector<double> times, packed_times;
      for (int i = 0; i <= passes; ++i) {
        times.push_back(timer_([&] { malloc_kernels::pass(exec_, passed, bytes); }));
        packed_times.push_back(
            timer_([&] { malloc_kernels::pass(exec_, packed.view().data(), passed.count, bytes); }));
      }
      // Not the first ones, which touch memory that nobody has touched.
      result_.pass_over_packed = *std::min_element(times.begin() + 1, times.end()) /
                                 *std::min_element(packed_times.begin() + 1, packed_times.end());
    }
    malloc_kernels::release(exec_, heap_.handle(), blocks());
  }

  Exec exec_;
  const MallocSettings& malloc_;
  KernelTimer timer_;
  MallocResult result_;  // before the heap, whose creation is measured
  std::shared_ptr<memory::MemoryResource> memory_;
  A heap_;
  memory::Array<Held> held_;
  memory::Array<std::uint32_t> keys_;
  memory::Array<std::uint64_t> failures_;
  Lists lists_;
};

}  // namespace haloheap

#endif
