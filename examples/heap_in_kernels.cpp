// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels that allocate: each thread makes a list whose length only it knows; a later kernel frees them.
#include <haloheap/allocators/slab_walk/slab_walk.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>

/// The divisors of i, in memory of the heap. A View without data where the heap is full.
template <class Heap>
KOKKOS_FUNCTION auto divisors(const Heap& memory, int i) {
  int count = 0;
  for (int d = 1; d <= i; ++d) count += i % d == 0 ? 1 : 0;
  const auto list = memory.template view<int>(count);
  if (list.data() == nullptr) return list;
  int at = 0;
  for (int d = 1; d <= i; ++d)
    if (i % d == 0) list(at++) = d;
  return list;
}

/// @returns the sum of all divisors of all numbers up to n; -1 if the heap was too small
long sum_of_divisors(int n) {
  const Kokkos::DefaultExecutionSpace exec;
  const haloheap::allocators::SlabWalk heap(exec, {.bytes = std::size_t{16} << 20, .label = "divisors"});
  const auto memory = heap.handle();  // for kernels: small, copied by value
  const Kokkos::View<haloheap::allocators::HeapView<int>*> lists("lists", n + 1);
  Kokkos::parallel_for(
      "make", Kokkos::RangePolicy(exec, 1, n + 1), KOKKOS_LAMBDA(int i) { lists(i) = divisors(memory, i); });
  long sum = 0;
  Kokkos::parallel_reduce(
      "use and free", Kokkos::RangePolicy(exec, 1, n + 1),
      KOKKOS_LAMBDA(int i, long& part) {
        const auto list = lists(i);
        for (std::size_t k = 0; k < list.extent(0); ++k) part += list(k);
        memory.deallocate(list.data());
      },
      sum);
  const auto statistics = heap.statistics(exec);
  std::printf("%zu bytes at most, %zu in use now\n", statistics.high_water, statistics.in_use);
  return statistics.failures == 0 && statistics.in_use == 0 ? sum : -1;
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const long sum = sum_of_divisors(1000);
  std::printf("sum of all divisors of 1 to 1000: %ld\n", sum);
  return sum == 823081 ? 0 : 1;
}
