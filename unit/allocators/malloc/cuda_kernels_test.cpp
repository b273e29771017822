// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// A program in CUDA, as it was written for CUDA's own malloc: its kernels are launched without Kokkos.
#include <haloheap/core/backend/cuda/check.hpp>

#include <gtest/gtest.h>

#define HALOHEAP_REPLACE_MALLOC
#include <haloheap/heap.hpp>

namespace {

struct Node {
  Node* next;
  int value;
};

/// Counts what is not as it should be.
__global__ void grow_and_shrink(int threads, unsigned* wrong) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= threads) return;
  Node* first = nullptr;
  for (int k = 0; k < i % 10; ++k) {  // lanes leave one by one
    auto* const node = static_cast<Node*>(malloc(sizeof(Node)));
    if (node == nullptr) atomicAdd(wrong, 1U);
    if (node == nullptr) continue;
    *node = {first, i + k};
    first = node;
  }
  int sum = 0;
  while (first != nullptr) {
    sum += first->value;
    Node* const next = first->next;
    free(first);
    first = next;
  }
  const int n = i % 10;
  if (sum != n * i + n * (n - 1) / 2) atomicAdd(wrong, 1U);

  auto* numbers = static_cast<int*>(calloc(3, sizeof(int)));
  if (numbers == nullptr || numbers[2] != 0) atomicAdd(wrong, 1U);
  numbers = static_cast<int*>(realloc(numbers, 500));
  if (numbers == nullptr || numbers[2] != 0) atomicAdd(wrong, 1U);
  free(numbers);
  int* const made = new int[20];
  made[19] = i;
  if (made[19] != i) atomicAdd(wrong, 1U);
  delete[] made;
}

TEST(MallocOfCuda, is_that_of_the_heap_in_kernels_launched_without_kokkos) {
  constexpr int threads = 10000;
  const haloheap::Heap heap({.bytes = 64 << 20});
  const Kokkos::View<unsigned> wrong("haloheap::test::wrong");
  const Kokkos::Cuda exec;
  grow_and_shrink<<<(threads + 127) / 128, 128, 0, exec.cuda_stream()>>>(threads, wrong.data());
  haloheap::backend::check(cudaGetLastError(), "grow_and_shrink");
  exec.fence("haloheap::test::grow_and_shrink");
  unsigned found = 1;
  Kokkos::deep_copy(found, wrong);
  EXPECT_EQ(found, 0U);
  EXPECT_GE(heap.statistics().high_water, 500U) << "it was this heap";
  EXPECT_EQ(heap.statistics().in_use, 0U);
}

}  // namespace
