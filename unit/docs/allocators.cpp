// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What docs/guide/allocators.md and README.md quote.
#include <haloheap/allocators/checked.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

// [use] [readme]
#include <haloheap/allocators/slab_walk/slab_walk.hpp>
// [use] [readme]

// [choose]
#include <haloheap/allocators/allocator_list.hpp>
#include <haloheap/allocators/choose_allocator.hpp>
// [choose]

// [arena]
#include <haloheap/allocators/arena_list.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/memory/space.hpp>
// [arena]

namespace haloheap::allocators_page {

using Exec = Kokkos::DefaultExecutionSpace;
using Threads = Kokkos::RangePolicy<Exec>;

void use_a_heap(const Exec& exec, int n) {
  const Kokkos::View<int> missed("missed");
  // [use]
  haloheap::allocators::SlabWalk heap(exec, {.bytes = std::size_t{64} << 20, .label = "lists"});
  const auto memory = heap.handle();
  const auto kernel = KOKKOS_LAMBDA(int i) {
    void* const block = memory.allocate(8 * i);  // nullptr when there is none, in bounded time, never a trap
    memory.deallocate(block);                    // whoever has it; nullptr is ignored
    const auto list = memory.view<double>(i);    // an unmanaged View, of types with alignments up to 16
    if (list.data() == nullptr) missed() = 1;    // when there was no room
  };
  Kokkos::parallel_for("lists", Threads(exec, 1, n), kernel);
  // capacity, in use, footprint, high water, largest free run, failures:
  const auto now = heap.statistics(exec);
  heap.reset(exec);  // all is free again, whoever had it
  // [use]
  exec.fence("use_a_heap");
  int any = 0;
  Kokkos::deep_copy(any, missed);
  EXPECT_EQ(any, 0);
  EXPECT_GE(now.in_use, 8U * static_cast<unsigned>(n * (n - 1) / 2)) << "the lists that were not given back";
  EXPECT_EQ(heap.statistics(exec).in_use, 0U);
}
TEST(AllocatorsPage, uses_a_heap) {
  use_a_heap(Exec(), 100);
}

void allocate_in_kernels(const Exec& exec, int n) {
  using List = allocators::HeapView<double>;
  const Kokkos::View<List*> lists("lists", n);
  // [readme]
  const haloheap::allocators::SlabWalk heap(exec, {.bytes = std::size_t{64} << 20, .label = "lists"});
  const auto memory = heap.handle();  // for kernels: small, copied by value
  const auto fill = KOKKOS_LAMBDA(int i) {
    const auto list = memory.view<double>(i % 100);  // an unmanaged View; without data when the heap is full
    for (std::size_t k = 0; k < list.extent(0); ++k) list(k) = i;
    lists(i) = list;
  };
  Kokkos::parallel_for("fill", Threads(exec, 0, n), fill);
  // ... and from any other thread, block or kernel:
  Kokkos::parallel_for(
      "free", Threads(exec, 0, n), KOKKOS_LAMBDA(int i) { memory.deallocate(lists(i).data()); });
  // [readme]
  exec.fence("allocate_in_kernels");
  EXPECT_EQ(heap.statistics(exec).in_use, 0U);
  EXPECT_GT(heap.statistics(exec).high_water, 0U);
}
TEST(AllocatorsPage, allocates_in_kernels) {
  allocate_in_kernels(Exec(), 1000);
}

TEST(AllocatorsPage, finds_an_allocator_by_its_name) {
  const Exec exec;
  const allocators::HeapConfig config{.bytes = std::size_t{16} << 20};
  const std::string name = "page_queue";
  std::string found;
  const auto run = [&]<class A>(const A& /*heap*/) { found += A::name; };
  // [choose]
  using namespace haloheap::allocators;
  choose_allocator<DeviceAllocators>(name, [&]<class A>() { run(A(exec, config)); });
  // [choose]
  EXPECT_EQ(found, name);
}

TEST(AllocatorsPage, has_Views_in_an_arena) {
  const int n = 1000;
  // [arena]
  haloheap::allocators::add_arenas();
  const auto memory =
      haloheap::memory::make_memory_resource("slab_walk", {.pool_bytes = std::size_t{64} << 20});
  using Space = haloheap::memory::DeviceSpace;
  Kokkos::View<double*, Space> u(Kokkos::view_alloc(Space(memory), "u"), n);
  // [arena]
  Kokkos::deep_copy(u, 2.0);
  const auto last = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), Kokkos::subview(u, n - 1));
  EXPECT_EQ(last(), 2.0);
}

template <class Handle>
void free_twice(const Exec& exec, const Handle& memory) {
  Kokkos::parallel_for(
      "free_twice", Threads(exec, 0, 1), KOKKOS_LAMBDA(int) {
        void* const block = memory.allocate(64);
        memory.deallocate(block);
        memory.deallocate(block);
      });
}

TEST(AllocatorsPage, has_a_debug_mode) {
  const Exec exec;
  const allocators::HeapConfig config{.bytes = std::size_t{16} << 20};
  // [checked]
  haloheap::allocators::Checked<haloheap::allocators::SlabWalk> heap(exec, config);
  free_twice(exec, heap.handle());
  for (const haloheap::allocators::HeapError& error : heap.errors(exec)) std::puts(to_string(error).c_str());
  // [checked]
  ASSERT_EQ(heap.errors(exec).size(), 1U);
  EXPECT_NE(to_string(heap.errors(exec).front()).find("double free"), std::string::npos);
}

TEST(AllocatorsPage, has_a_debug_mode_that_names_kernels) {
  const Exec exec;
  haloheap::allocators::Checked<haloheap::allocators::SlabWalk> heap(exec, {.bytes = std::size_t{16} << 20});
  // [kernel_names]
  const haloheap::allocators::KernelNames names;
  free_twice(exec, heap.handle());
  for (const haloheap::allocators::HeapError& error : heap.errors(exec)) std::puts(to_string(error).c_str());
  // double free of 0x7f902b73b0c0, kernel 'free_twice'
  // [kernel_names]
  EXPECT_NE(to_string(heap.errors(exec).front()).find(", kernel 'free_twice'"), std::string::npos);
}

}  // namespace haloheap::allocators_page
