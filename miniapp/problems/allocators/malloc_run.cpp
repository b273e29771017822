// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/allocator_list.hpp>
#include <haloheap/allocators/choose_allocator.hpp>
#include <haloheap/miniapp/problems/allocators/malloc_measurement.hpp>
#include <haloheap/miniapp/report/result.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace haloheap {
namespace {

constexpr std::size_t max_passed = std::size_t{1} << 30;

bool uses_lists(const MallocSettings& malloc) {
  return malloc.pattern == MallocPattern::fill || malloc.free_share < 1;
}

}  // namespace

std::optional<std::uint64_t> min_distance(const std::vector<const void*>& blocks) {
  std::vector<std::uintptr_t> starts;
  for (const void* block : blocks)
    if (block != nullptr) starts.push_back(reinterpret_cast<std::uintptr_t>(block));
  if (starts.size() < 2) return std::nullopt;
  std::sort(starts.begin(), starts.end());
  std::uint64_t min = starts[1] - starts[0];
  for (std::size_t i = 2; i < starts.size(); ++i)
    min = std::min<std::uint64_t>(min, starts[i] - starts[i - 1]);
  return min;
}

int malloc_lists(const MallocSettings& malloc) {
  if (!uses_lists(malloc)) return 1;
  if (malloc.pattern == MallocPattern::fill) return malloc.threads;
  return block_lists::lists_for(malloc.allocator.config.bytes, malloc.sizes.smallest);
}

std::size_t malloc_passed_bytes(const MallocSettings& malloc) {
  const std::size_t bytes = malloc.sizes.smallest;
  if (malloc.pattern == MallocPattern::fill || malloc.by_warps || bytes != malloc.sizes.largest ||
      bytes < 16 || bytes % sizeof(std::uint32_t) != 0 || bytes > max_passed)
    return 0;
  return std::min(static_cast<std::size_t>(malloc.blocks()), max_passed / bytes) * bytes;
}

std::optional<report::Verification> verification_of(const MallocResult& result) {
  if (!result.wrong && !result.lost) return {};
  std::vector<std::string> differs;
  if (result.wrong.value_or(0) > 0)
    differs.push_back(fmt::format("{} of {} blocks", *result.wrong, result.served));
  if (result.lost.value_or(0) > 0)
    differs.push_back(
        fmt::format("{} bytes that are lost: in use although all was given back", *result.lost));
  return report::verification_of(fmt::format("{}", fmt::join(differs, ", ")));
}

MallocResult run_malloc(const backend::Exec& exec, const MallocSettings& settings,
                        std::shared_ptr<memory::MemoryResource> pool,
                        std::shared_ptr<memory::MemoryResource> arrays, const std::function<void()>& done) {
  const allocators::HeapConfig config = heap_config(settings.allocator, std::move(pool));
  MallocResult result;
  allocators::choose_allocator<allocators::DeviceAllocators>(settings.allocator.name, [&]<class A>() {
    result = MallocMeasurement<A>(exec, settings, config, arrays).run(done);
  });
  return result;
}

std::size_t malloc_array_bytes(const MallocSettings& settings) {
  return static_cast<std::size_t>(settings.blocks()) *
             (sizeof(malloc_kernels::Held) + sizeof(std::uint32_t)) +
         static_cast<std::size_t>(malloc_lists(settings)) * sizeof(block_lists::List) + sizeof(std::uint64_t);
}

}  // namespace haloheap
