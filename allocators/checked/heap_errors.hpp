// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CHECKED_HEAP_ERRORS_HPP
#define HALOHEAP_ALLOCATORS_CHECKED_HEAP_ERRORS_HPP

#include <haloheap/allocators/call_site.hpp>
#include <haloheap/allocators/heap_config.hpp>
#include <haloheap/core/memory/array.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace haloheap::allocators {

/// What can be done wrong with a heap.
enum class HeapFault : std::uint32_t {
  double_free,   ///< given back although it is free
  foreign,       ///< given back although it is not the beginning of a block of this heap
  underrun,      ///< the bytes in front of a block were written
  overrun,       ///< the bytes behind a block were written
  use_of_freed,  ///< free memory was written before it was given out again
  leak,          ///< not given back
};

struct HeapError {
  HeapFault kind;
  const void* address;   ///< what was given back, or the block's beginning; of use_of_freed the 16 bytes
  std::size_t bytes;     ///< that were asked for; 0 where nobody knows
  CallText call;         ///< that found it
  CallText allocation;   ///< that asked for the block, where it is known
  char kernel[64] = {};  ///< label of the kernel that found it, where a KernelNames was there
};

/// In words: "write behind 0x7f00 (20 bytes), allocated in grow (lists.cu:9), found in shrink (lists.cu:17),
/// kernel 'shrink'".
std::string to_string(const HeapError& error);

/// All of them, with the heap's label: one line for each of the first few.
std::string heap_report(const std::string& label, std::uint64_t count, std::span<const HeapError> errors);

/// Where kernels write errors: all are counted, and the first ones kept.
class ErrorLog {
 public:
  static constexpr std::uint32_t kept = 256;

  KOKKOS_FUNCTION ErrorLog(std::uint64_t* count, HeapError* errors) : count_(count), errors_(errors) {}

  template <class Atomics>
  KOKKOS_FUNCTION void add(const HeapError& error) const {
    const std::uint64_t number = Atomics::fetch_add(count_, std::uint64_t{1});
    if (number < kept) errors_[number] = error;
  }

 private:
  std::uint64_t* count_;
  HeapError* errors_;
};

/// The memory of such a log, and what the host reads there.
class ErrorMetadata {
 public:
  using Exec = HeapConfig::Exec;

  ErrorMetadata(const Exec& exec, const HeapConfig& config);

  ErrorLog log() const { return {count_.view().data(), errors_.view().data()}; }
  void reset(const Exec& exec);
  std::uint64_t count(const Exec& exec) const;
  /// At most ErrorLog::kept.
  std::vector<HeapError> errors(const Exec& exec) const;
  static constexpr std::size_t bytes = sizeof(std::uint64_t) + ErrorLog::kept * sizeof(HeapError);

 private:
  memory::Array<std::uint64_t> count_;
  memory::Array<HeapError> errors_;
};

}  // namespace haloheap::allocators

#endif
