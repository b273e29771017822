// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/allocator_list.hpp>
#include <haloheap/allocators/choose_allocator.hpp>
#include <haloheap/allocators/fetch.hpp>
#include <haloheap/miniapp/problems/kernel_timer.hpp>
#include <haloheap/miniapp/problems/malloc_kernels.hpp>
#include <haloheap/miniapp/problems/malloc_run.hpp>

#include <limits>

namespace haloheap {
namespace {

using backend::Exec;
using malloc_kernels::Blocks;
using malloc_kernels::Held;
using malloc_kernels::Lists;

/// 2048 threads on a multiprocessor.
using FullOccupancy = Kokkos::LaunchBounds<256, 8>;

constexpr std::uint64_t all_there_are = std::numeric_limits<std::uint32_t>::max();

bool uses_lists(const MallocSettings& malloc) {
  return malloc.pattern == MallocPattern::fill || malloc.free_share < 1;
}

int lists_of(const MallocSettings& malloc) {
  if (!uses_lists(malloc)) return 1;
  if (malloc.pattern == MallocPattern::fill) return malloc.threads;
  return block_lists::lists_for(malloc.allocator.config.bytes, malloc.sizes.smallest);
}

template <class A>
class MallocRun {
 public:
  MallocRun(const Exec& exec, const MallocSettings& malloc, HeapConfig config,
            const std::shared_ptr<MemoryResource>& arrays)
      : exec_(exec),
        malloc_(malloc),
        timer_(exec),
        heap_(exec, std::move(config)),
        held_(arrays, "haloheap::malloc::blocks", static_cast<std::size_t>(malloc.blocks())),
        keys_(arrays, "haloheap::malloc::keys", static_cast<std::size_t>(malloc.blocks())),
        failures_(arrays, "haloheap::malloc::failures", 1),
        lists_(exec, arrays, lists_of(malloc)) {
    malloc_kernels::clear(exec_, blocks());
  }

  MallocResult run(const std::function<void()>& done) {
    result_.reset = timer_([&] { heap_.reset(exec_); });
    if (malloc_.free_share < 1) occupy();
    const int runs = malloc_.warm_ups + malloc_.repetitions;
    for (int i = 0; i < runs; ++i) {
      repetition(i + 1 == runs);
      if (i + 1 == malloc_.warm_ups) result_.allocate.clear(), result_.free.clear(), result_.churn.clear();
      done();
    }
    if (malloc_.pattern != MallocPattern::fill) count_steps();
    if (malloc_.free_share < 1) block_lists::release(exec_, heap_.handle(), lists_);
    exec_.fence("haloheap::malloc");
    return std::move(result_);
  }

 private:
  Blocks blocks() const { return {held_.view().data(), keys_.view().data(), malloc_.blocks()}; }

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
    else
      allocate(last);
  }

  void allocate(bool last) {
    const auto heap = heap_.handle();
    result_.allocate.push_back(timer_([&] {
      if (malloc_.full_occupancy)
        malloc_kernels::allocate<typename A::Handle, FullOccupancy>(exec_, heap, blocks(), malloc_.sizes);
      else
        malloc_kernels::allocate(exec_, heap, blocks(), malloc_.sizes);
    }));
    if (last) keep(malloc_kernels::served(exec_, blocks(), malloc_.sizes));
    if (malloc_.pattern == MallocPattern::churn)
      result_.churn.push_back(timer_([&] {
        malloc_kernels::churn(exec_, heap, blocks(), malloc_.sizes, malloc_.held, malloc_.rounds,
                              failures_.view().data());
      }));
    if (last) look();
    if (last && malloc_.verify)
      result_.wrong = malloc_kernels::wrong_blocks(exec_, blocks(), malloc_.sizes, alignment());
    const double seconds = timer_([&] { malloc_kernels::release(exec_, heap, blocks()); });
    if (malloc_.pattern == MallocPattern::allocate_free) result_.free.push_back(seconds);
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
    result_.failures = fetch(exec_, failures_.view().data(), 1).front();
    if (malloc_.pattern != MallocPattern::fill)
      result_.failures += static_cast<std::uint64_t>(malloc_.blocks()) - result_.served;
  }

  std::size_t alignment() const {
    const Promises& promises = malloc_.allocator.promises;
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

  Exec exec_;
  const MallocSettings& malloc_;
  KernelTimer timer_;
  A heap_;
  Array<Held> held_;
  Array<std::uint32_t> keys_;
  Array<std::uint64_t> failures_;
  Lists lists_;
  MallocResult result_;
};

}  // namespace

MallocResult run_malloc(const Exec& exec, const MallocSettings& settings,
                        std::shared_ptr<MemoryResource> pool, std::shared_ptr<MemoryResource> arrays,
                        const std::function<void()>& done) {
  const HeapConfig config = heap_config(settings.allocator, std::move(pool));
  MallocResult result;
  choose_allocator<DeviceAllocators>(settings.allocator.name, [&]<class A>() {
    result = MallocRun<A>(exec, settings, config, arrays).run(done);
  });
  return result;
}

std::size_t malloc_array_bytes(const MallocSettings& settings) {
  return static_cast<std::size_t>(settings.blocks()) * (sizeof(Held) + sizeof(std::uint32_t)) +
         static_cast<std::size_t>(lists_of(settings)) * sizeof(block_lists::List) + sizeof(std::uint64_t);
}

}  // namespace haloheap
