// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_HEAP_CONFIG_HPP
#define HALOHEAP_ALLOCATORS_HEAP_CONFIG_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/base/config_problem.hpp>
#include <haloheap/core/memory/resource.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace haloheap::allocators {

/// What of a HeapConfig can be wrong.
enum class HeapSetting { bytes, page_bytes, word_bits, alignment };

/// What a heap is made of.
struct HeapConfig {
  using Exec = backend::Exec;

  std::size_t bytes = std::size_t{64} << 20;  ///< of the pool, without the allocator's own metadata
  std::string label = "heap";                 ///< in messages and traces
  std::shared_ptr<memory::MemoryResource> memory =
      nullptr;                   ///< what pool and metadata stands in; null: "device"
  std::size_t page_bytes = 256;  ///< for allocators of pages: a power of two, at least 16
  unsigned word_bits = 32;       ///< for bitmaps of pages: those that a probe sees, 32 or 64
  /// Of blocks of 16 bytes and more, in bytes: 16, or 8 or 4 where less room between blocks is worth it.
  /// Heaps may align to more; warp_header alone makes use of less.
  unsigned alignment = 16;

  /// `memory`, or else the device's. Every heap asks for it when it is made.
  /// @throws UsageError before Kokkos::initialize and after Kokkos::finalize
  std::shared_ptr<memory::MemoryResource> resource() const;
};

/// Why allocators of pages cannot have such a pool; nothing if they can.
std::optional<ConfigProblem<HeapSetting>> page_problem(const HeapConfig& config);

/// Why no heap can have such an alignment; nothing if it can.
std::optional<ConfigProblem<HeapSetting>> alignment_problem(const HeapConfig& config);

/// The configuration, if its alignment can be had. @throws UsageError
const HeapConfig& require_alignment(const char* allocator, const HeapConfig& config);

}  // namespace haloheap::allocators

#endif
