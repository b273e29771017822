// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/allocator_list.hpp>
#include <haloheap/allocators/choose_allocator.hpp>
#include <haloheap/allocators/pool_finder.hpp>
#include <haloheap/miniapp/problems/allocators/getpage_run.hpp>
#include <haloheap/miniapp/problems/allocators/malloc_kernels.hpp>
#include <haloheap/miniapp/problems/allocators/timed_runs.hpp>

#include <algorithm>

namespace haloheap {
namespace {

using backend::Exec;
using malloc_kernels::Blocks;
using malloc_kernels::Held;

int lists_of(const GetpageSettings& getpage) {
  return block_lists::lists_for(getpage.allocator.config.bytes, getpage.allocator.config.page_bytes);
}

/// The pages that are in use stay so for all repetitions; those of the threads are given back after each.
template <class A>
GetpageResult run(const Exec& exec, const GetpageSettings& getpage, allocators::HeapConfig config,
                  const std::shared_ptr<memory::MemoryResource>& arrays, const std::function<void()>& done) {
  const auto threads = static_cast<int>(getpage.demand.threads);
  const auto page = static_cast<std::uint32_t>(config.page_bytes);
  const RequestSizes sizes{page, page, 0};
  const auto finder = std::make_shared<allocators::detail::PoolFinder>(config.resource());
  config.memory = finder;
  A heap(exec, std::move(config));
  const block_lists::Lists in_use(exec, arrays, lists_of(getpage));
  // Filled and then thinned, so that what is free is anywhere: the walks themselves would rather leave words
  // of a bitmap that are wholly free, or have none. But for the last pages of many, each of which takes a
  // walk as long as the pool.
  const std::uint64_t pages = getpage.demand.pages;
  const double free = getpage.free_share * static_cast<double>(pages);
  const auto left = std::min(pages / 10'000, static_cast<std::uint64_t>(free / 50));
  const double thinned = free - static_cast<double>(left);
  block_lists::grow(exec, heap.handle(), in_use, sizes, pages - left);
  block_lists::thin(exec, heap.handle(), in_use, thinned / static_cast<double>(pages - left),
                    static_cast<std::uint32_t>(getpage.allocator.seed));

  const memory::Array<Held> held(arrays, "haloheap::getpage::blocks", getpage.demand.threads);
  const memory::Array<std::uint32_t> keys(arrays, "haloheap::getpage::steps", getpage.demand.threads);
  const Blocks blocks{held.view().data(), keys.view().data(), threads};
  malloc_kernels::clear(exec, blocks);
  const GetpageCheck check(finder->pool(), page, arrays);
  GetpageResult result;
  const allocators::HeapStatistics before = heap.statistics(exec);
  result.free_before = (before.capacity - before.in_use) / page;
  KernelTimer timer(exec);
  const int runs = getpage.warm_ups + getpage.repetitions;
  for (int i = 0; i < runs; ++i) {
    const double seconds = timer([&] { malloc_kernels::allocate(exec, heap.handle(), blocks, sizes); });
    result.failures = getpage.demand.threads - malloc_kernels::served(exec, blocks, sizes).blocks;
    if (i + 1 == runs) result.faults = check(exec, blocks, in_use);
    malloc_kernels::release(exec, heap.handle(), blocks);
    malloc_kernels::allocate_and_count(exec, heap.handle(), blocks, sizes);
    const StepCounts steps = step_counts(exec, keys.view().data(), threads);
    malloc_kernels::release(exec, heap.handle(), blocks);
    done();
    if (i < getpage.warm_ups) continue;
    result.seconds.push_back(seconds);
    result.thread.push_back(steps.threads);
    result.warp.push_back(steps.warps);
  }
  const std::uint64_t expected = std::min<std::uint64_t>(getpage.demand.threads, result.free_before);
  result.faults.refused = expected - std::min(expected, result.faults.held);
  if (result.faults.outside + result.faults.twice == 0) {  // else the lists lead nobody knows where
    block_lists::release(exec, heap.handle(), in_use);
    result.faults.lost = heap.statistics(exec).in_use;
  }
  exec.fence("haloheap::getpage");
  return result;
}

}  // namespace

GetpageResult run_getpage(const Exec& exec, const GetpageSettings& settings,
                          std::shared_ptr<memory::MemoryResource> pool,
                          std::shared_ptr<memory::MemoryResource> arrays, const std::function<void()>& done) {
  const allocators::HeapConfig config = heap_config(settings.allocator, std::move(pool));
  GetpageResult result;
  allocators::choose_allocator<allocators::DeviceAllocators>(settings.allocator.name, [&]<class A>() {
    if constexpr (allocators::SearchesPages<A>) result = run<A>(exec, settings, config, arrays, done);
  });
  return result;
}

std::size_t getpage_array_bytes(const GetpageSettings& settings) {
  return settings.demand.threads * (sizeof(Held) + sizeof(std::uint32_t)) +
         static_cast<std::size_t>(lists_of(settings)) * sizeof(block_lists::List) +
         GetpageCheck::mark_bytes(settings.demand.pages);
}

}  // namespace haloheap
