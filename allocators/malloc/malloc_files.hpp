// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_MALLOC_MALLOC_FILES_HPP
#define HALOHEAP_ALLOCATORS_MALLOC_MALLOC_FILES_HPP

#include <haloheap/allocators/heap_config.hpp>
#include <haloheap/allocators/promises.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace haloheap::allocators::detail {

/// A file whose kernels call haloheap::malloc: it has a slot of its own, since devices know no variables
/// across files. One at namespace scope in each; files of libraries that are loaded later, too.
class MallocFile {
 public:
  /// Fills the file's slot with another one of its type; with an empty one for null.
  using Fill = void (*)(const HeapConfig::Exec& exec, const void* slot);

  /// @param heap name of the type of heap that the file was compiled for
  MallocFile(const char* heap, Fill fill);
  MallocFile(const MallocFile&) = delete;
  MallocFile& operator=(const MallocFile&) = delete;
  ~MallocFile();
};

/// The configuration. @throws UsageError for an allocator whose blocks of 16 bytes are not aligned to 16
const HeapConfig& require_malloc(const char* allocator, const HeapConfig& config, const Promises& promises);

/// A heap that the calls of all files go to, as long as there is no younger one. From any host thread.
class MallocTarget {
 public:
  /// @param slot its bytes
  /// @throws UsageError if a file was compiled for heaps of another type
  MallocTarget(const HeapConfig::Exec& exec, const char* heap, std::span<const std::byte> slot);
  MallocTarget(const MallocTarget&) = delete;
  MallocTarget& operator=(const MallocTarget&) = delete;
  /// Those of the next younger heap that is left take over.
  ~MallocTarget();
};

/// The slot of the youngest heap that contains an address; null if none does. For hosts that run the kernels.
const void* find_malloc_slot(const void* address, bool (*contains)(const void* slot, const void* address));

}  // namespace haloheap::allocators::detail

#endif
