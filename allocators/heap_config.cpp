// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/heap_config.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/kokkos_running.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <fmt/format.h>

#include <bit>

namespace haloheap::allocators {

std::shared_ptr<memory::MemoryResource> HeapConfig::resource() const {
  require_kokkos("heap '" + label + "'");
  return memory ? memory : memory::make_memory_resource("device");
}

std::optional<ConfigProblem<HeapSetting>> page_problem(const HeapConfig& config) {
  constexpr std::size_t minimum = 16;
  const std::size_t page = config.page_bytes;
  if (page < minimum || !std::has_single_bit(page))
    return ConfigProblem<HeapSetting>{
        HeapSetting::page_bytes, fmt::format("a page of {} bytes is not a power of two, 16 or more", page),
        "",
        page < minimum ? "use 16" : fmt::format("use {} or {}", std::bit_floor(page), std::bit_ceil(page))};
  if (config.word_bits != 32 && config.word_bits != 64)
    return ConfigProblem<HeapSetting>{HeapSetting::word_bits,
                                      fmt::format("there are no words of {} bits", config.word_bits), "",
                                      "use 32 or 64"};
  if (config.bytes < page)
    return ConfigProblem<HeapSetting>{
        HeapSetting::bytes,
        fmt::format("a pool of {} bytes has no room for a page of {}", config.bytes, page), "",
        "use a larger pool, or smaller pages"};
  return std::nullopt;
}

std::optional<ConfigProblem<HeapSetting>> alignment_problem(const HeapConfig& config) {
  const unsigned alignment = config.alignment;
  if (alignment == 4 || alignment == 8 || alignment == 16) return std::nullopt;
  return ConfigProblem<HeapSetting>{HeapSetting::alignment,
                                    fmt::format("blocks cannot be aligned to {} bytes", alignment), "",
                                    "use 4, 8 or 16"};
}

const HeapConfig& require_alignment(const char* allocator, const HeapConfig& config) {
  if (const auto problem = alignment_problem(config))
    throw UsageError(fmt::format("{} cannot make the heap '{}': {}", allocator, config.label, problem->cause),
                     problem->consequence, problem->remedy);
  return config;
}

}  // namespace haloheap::allocators
