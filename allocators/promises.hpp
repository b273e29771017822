// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_PROMISES_HPP
#define HALOHEAP_ALLOCATORS_PROMISES_HPP

#include <cstddef>

namespace haloheap::allocators {

/// Whose requests an allocator serves with one operation on the heap.
enum class Coalescing { none, warp, block };

/// What an in-kernel allocator promises; users and tests choose by it.
struct Promises {
  std::size_t largest = 0;             ///< bytes that one request can have
  std::size_t alignment = 16;          ///< bytes
  std::size_t alignment_from_16 = 16;  ///< bytes, of requests of 16 bytes and more
  std::size_t header = 0;              ///< bytes in front of what a request gets
  Coalescing coalescing = Coalescing::none;
  bool frees = true;         ///< deallocate makes memory usable again before reset
  bool frees_alone = true;   ///< what one request got is usable again although its neighbours are not freed
  bool copyable = true;      ///< host and MPI may copy to and from the memory
  bool recovers_all = true;  ///< when all is freed, requests of any size can be served as in a new heap
  /// reset takes back what nobody gave back; if not, the heap does not know what is in use either, nor does
  /// it keep to its size.
  bool resets = true;
};

}  // namespace haloheap::allocators

#endif
