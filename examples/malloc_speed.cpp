// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a program gains whose kernels call malloc: its own one, and haloheap's, with a handle and without.
#include <haloheap/allocators/native/native.hpp>
#include <haloheap/heap.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Exec = Kokkos::DefaultExecutionSpace;
using haloheap::allocators::MallocCalls, haloheap::allocators::Native, haloheap::allocators::SlabWalk;

struct Block {
  void* data;
};
using Blocks = Kokkos::View<Block*>;

template <class Handle>
struct WithHandle {
  Handle heap;
  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const { return heap.allocate(bytes); }
  KOKKOS_FUNCTION void release(void* block) const { heap.deallocate(block); }
};
/// The C library's calls by a handle.
template <class Handle>
struct CallsByHandle {
  Handle heap;
  KOKKOS_FUNCTION MallocCalls<Handle> calls() const { return MallocCalls<Handle>(heap); }
  KOKKOS_FUNCTION void* calloc(std::size_t bytes) const { return calls().calloc(1, bytes); }
  KOKKOS_FUNCTION void* aligned_alloc(std::size_t bytes) const { return calls().aligned_alloc(128, bytes); }
  KOKKOS_FUNCTION void* realloc(void* block, std::size_t bytes) const {
    return calls().realloc(block, bytes);
  }
  KOKKOS_FUNCTION void release(void* block) const { calls().free(block); }
};
struct ByName {
  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const { return haloheap::malloc(bytes); }
  KOKKOS_FUNCTION void* calloc(std::size_t bytes) const { return haloheap::calloc(1, bytes); }
  KOKKOS_FUNCTION void* aligned_alloc(std::size_t bytes) const { return haloheap::aligned_alloc(128, bytes); }
  KOKKOS_FUNCTION void* realloc(void* block, std::size_t bytes) const {
    return haloheap::realloc(block, bytes);
  }
  KOKKOS_FUNCTION void release(void* block) const { haloheap::free(block); }
};

template <class Calls>
struct Allocate {
  Calls calls;
  Blocks blocks;
  std::size_t bytes;
  KOKKOS_FUNCTION void operator()(int i) const { blocks(i).data = calls.allocate(bytes); }
};
template <class Calls>
struct Release {
  Calls calls;
  Blocks blocks;
  KOKKOS_FUNCTION void operator()(int i) const { calls.release(blocks(i).data); }
};

/// One of the other calls.
enum Call { in_zeros, aligned, to_more };
template <Call call, class Calls>
struct Ask {
  Calls calls;
  Blocks blocks;
  std::size_t bytes;
  KOKKOS_FUNCTION void operator()(int i) const {
    if constexpr (call == in_zeros) blocks(i).data = calls.calloc(bytes);
    if constexpr (call == aligned) blocks(i).data = calls.aligned_alloc(bytes);
    if constexpr (call == to_more) blocks(i).data = calls.realloc(blocks(i).data, 4 * bytes);
  }
};

/// A whole kernel of a program (malloc_in_kernels.cpp): the prime factors of a number in a list, and their
/// sum.
template <class Calls>
struct SumOfFactors {
  struct Node {
    Node* next;
    int value;
  };
  Calls calls;
  KOKKOS_FUNCTION void operator()(int number, long& sum) const {
    Node* first = nullptr;
    for (int n = number, d = 2; n > 1; n % d == 0 ? n /= d : ++d) {
      if (n % d != 0) continue;
      auto* const node = static_cast<Node*>(calls.allocate(sizeof(Node)));
      if (node == nullptr) break;
      *node = {first, d};
      first = node;
    }
    while (first != nullptr) {
      sum += first->value;
      Node* const next = first->next;
      calls.release(first);
      first = next;
    }
  }
};

template <class Functor>
double microseconds(const Exec& exec, int threads, const Functor& functor) {
  exec.fence("malloc_speed");
  const Kokkos::Timer timer;
  Kokkos::parallel_for("malloc_speed", Kokkos::RangePolicy(exec, 0, threads), functor);
  exec.fence("malloc_speed");
  return timer.seconds() * 1e6;
}

double median(std::vector<double>& values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

template <class Calls>
void measure(const char* name, const Exec& exec, const Calls& calls, int threads, std::size_t bytes,
             int times) {
  const Blocks blocks(Kokkos::view_alloc(Kokkos::WithoutInitializing, "blocks"),
                      static_cast<std::size_t>(threads));
  std::vector<double> allocate, release;
  for (int i = 0; i <= times; ++i) {
    const double first = microseconds(exec, threads, Allocate<Calls>{calls, blocks, bytes});
    const double second = microseconds(exec, threads, Release<Calls>{calls, blocks});
    if (i == 0) continue;
    allocate.push_back(first);
    release.push_back(second);
  }
  std::printf("%-22s %8d %6zu %12.1f %12.1f\n", name, threads, bytes, median(allocate), median(release));
}

template <class Calls>
void measure_others(const char* name, const Exec& exec, const Calls& calls, int threads, std::size_t bytes) {
  const Blocks blocks("blocks", static_cast<std::size_t>(threads));
  std::vector<double> zeros, at_128, more;
  for (int i = 0; i <= 50; ++i) {
    const double first = microseconds(exec, threads, Ask<in_zeros, Calls>{calls, blocks, bytes});
    const double last = microseconds(exec, threads, Ask<to_more, Calls>{calls, blocks, bytes});
    microseconds(exec, threads, Release<Calls>{calls, blocks});
    const double second = microseconds(exec, threads, Ask<aligned, Calls>{calls, blocks, bytes});
    microseconds(exec, threads, Release<Calls>{calls, blocks});
    if (i == 0) continue;
    zeros.push_back(first);
    at_128.push_back(second);
    more.push_back(last);
  }
  std::printf("%-22s %8d %6zu %12.1f %18.1f %18.1f\n", name, threads, bytes, median(zeros), median(at_128),
              median(more));
}

/// @returns the sum
template <class Calls>
long measure_program(const char* name, const Exec& exec, const Calls& calls, int numbers, int times) {
  long sum = 0;
  std::vector<double> all;
  for (int i = 0; i <= times; ++i) {
    const Kokkos::Timer timer;
    Kokkos::parallel_reduce("prime_factors", Kokkos::RangePolicy(exec, 1, numbers + 1),
                            SumOfFactors<Calls>{calls}, sum);
    if (i > 0) all.push_back(timer.seconds() * 1e6);
  }
  std::printf("%-22s %8d %12.1f\n", name, numbers, median(all));
  return sum;
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Exec exec;
  const int scale = argc > 1 ? std::atoi(argv[1]) : 20;  // log2 of the most threads
  const int threads = 1 << scale, fewer = threads / 8;
  const Native native(exec, {.bytes = std::size_t{512} << scale});
  const SlabWalk slab_walk(exec, {.bytes = std::size_t{2048} << scale});
  const haloheap::Heap heap({.bytes = std::size_t{2048} << scale});
  std::printf("%-22s %8s %6s %12s %12s\n", "medians", "threads", "bytes", "malloc [us]", "free [us]");
  for (const std::size_t bytes : {16, 64, 256, 1024}) {
    if (bytes <= 256)  // CUDA's own takes seconds for more
      measure("the kernels' own", exec, WithHandle<Native::Handle>{native.handle()}, fewer, bytes, 5);
    measure("haloheap, by name", exec, ByName{}, fewer, bytes, 50);
    for (int round = 0; round < 2; ++round) {
      measure("haloheap, by name", exec, ByName{}, threads, bytes, 50);
      measure("haloheap, by a handle", exec, WithHandle<SlabWalk::Handle>{slab_walk.handle()}, threads, bytes,
              50);
    }
  }
  std::printf("\n%-22s %8s %6s %12s %18s %18s\n", "", "threads", "bytes", "calloc [us]", "aligned_alloc [us]",
              "realloc, x 4 [us]");
  for (const std::size_t bytes : {16, 64, 256})
    for (int round = 0; round < 2; ++round) {
      measure_others("haloheap, by name", exec, ByName{}, threads, bytes);
      measure_others("haloheap, by a handle", exec, CallsByHandle<SlabWalk::Handle>{slab_walk.handle()},
                     threads, bytes);
    }
  std::printf("\n%-22s %8s %12s\n", "prime factors", "numbers", "kernel [us]");
  bool good = true;
  for (const int numbers : {fewer / 8, fewer}) {
    const long before =
        measure_program("the kernels' own", exec, WithHandle<Native::Handle>{native.handle()}, numbers, 5);
    good = good && measure_program("haloheap, by name", exec, ByName{}, numbers, 20) == before;
  }
  for (const auto& statistics : {slab_walk.statistics(exec), heap.statistics(exec)})
    good = good && statistics.in_use == 0 && statistics.failures == 0;
  if (!good) std::printf("blocks are left in use, or requests failed, or sums differ\n");
  return good ? 0 : 1;
}
