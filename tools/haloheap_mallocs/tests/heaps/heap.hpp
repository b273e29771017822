// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What the programs of fix_heaps_test.py have for memory: a handle that stands for any of haloheap's, so that
// they compile once for all. It fills each block, reads it back when it is given back, and keeps a record of
// both.
#ifndef HALOHEAP_MALLOCS_TESTS_HEAP_HPP
#define HALOHEAP_MALLOCS_TESTS_HEAP_HPP

#include <haloheap/allocators/coalescing/all_alike.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <span>
#include <vector>

using Member = Kokkos::TeamPolicy<>::member_type;

class Observation;

struct Heap {
  Observation* observation;

  void* allocate(std::size_t bytes) const;
  void* allocate(const Member& member, std::size_t bytes, haloheap::allocators::detail::AllAlike) const;
  void deallocate(void* pointer) const;

  /// As many as were asked for.
  std::size_t bytes_of(void* pointer) const;
  /// What a kernel has stored elsewhere is part of what its thread did.
  void note(std::span<const std::byte> stored) const;
};

/// Stands at the front of each kernel: whose requests those of this thread are, until its end.
class Thread {
 public:
  Thread(const Heap& heap, const Member& member);
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;
  ~Thread();
};

/// A kernel as it was written, and rewritten. `limit` is a small number, and `in` has more of them.
struct Program {
  using Launch = void (*)(Heap heap, int limit, const int* in);
  const char* name;
  Launch before, after;
};

/// Of the file that is compiled with this header.
extern const std::vector<Program> programs;

#endif
