// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels that call malloc and free, as before. New are a macro, the include below it, and the heap in main.
#include <Kokkos_Core.hpp>

#include <cstdio>

// [include]
#define HALOHEAP_REPLACE_MALLOC  // or -DHALOHEAP_REPLACE_MALLOC
#include <haloheap/heap.hpp>     // behind all others
// [include]

struct Node {
  Node* next;
  int value;
};

/// The prime factors of n, the largest first. Null where there is no memory.
KOKKOS_FUNCTION Node* factors(int n) {
  Node* first = nullptr;
  for (int d = 2; n > 1; n % d == 0 ? n /= d : ++d) {
    if (n % d != 0) continue;
    auto* const node = static_cast<Node*>(malloc(sizeof(Node)));
    if (node == nullptr) break;
    *node = {first, d};
    first = node;
  }
  return first;
}

/// @returns the sum of the prime factors of all numbers up to n
long sum_of_factors(int n) {
  long sum = 0;
  Kokkos::parallel_reduce(
      "factors", Kokkos::RangePolicy<>(1, n + 1),
      KOKKOS_LAMBDA(int i, long& part) {
        for (Node* node = factors(i); node != nullptr;) {
          part += node->value;
          Node* const next = node->next;
          free(node);
          node = next;
        }
      },
      sum);
  return sum;
}

int main(int argc, char** argv) {
  // [heap]
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const haloheap::Heap heap({.bytes = std::size_t{16} << 20});
  // [heap]
  const long sum = sum_of_factors(1000);
  std::printf("sum of all prime factors of 1 to 1000: %ld, %zu bytes in use\n", sum,
              heap.statistics().in_use);
  return sum == 142707 && heap.statistics().in_use == 0 ? 0 : 1;
}
