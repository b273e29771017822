// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/allocator_list.hpp>
#include <haloheap/allocators/checked.hpp>
#include <haloheap/core/base/error.hpp>

#include <gtest/gtest.h>

#include <string>

namespace haloheap::allocators {
namespace {

template <class A>
std::string refusal() {
  try {
    const A heap(HeapConfig::Exec(), {.bytes = std::size_t{1} << 20, .label = "early"});
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

template <class List>
void expect_refusals(const std::string& text) {
  List::for_each([&]<class A>() { EXPECT_EQ(refusal<A>(), text) << A::name; });
}

void expect_all_refuse(const std::string& text) {
  expect_refusals<DeviceAllocators>(text);
  expect_refusals<TeamAllocators>(text);
  expect_refusals<AllocatorTypes<Checked<SlabWalk>>>(text);
}

// One test: a process can start Kokkos once.
TEST(Unstarted, HeapsSayThatKokkosIsNotRunning) {
  const std::string remedy = "\n  remedy: keep it between Kokkos::initialize and Kokkos::finalize";
  expect_all_refuse("heap 'early' is used before Kokkos::initialize" + remedy);
  Kokkos::initialize();
  expect_all_refuse("");
  Kokkos::finalize();
  expect_all_refuse("heap 'early' is used after Kokkos::finalize" + remedy);
}

}  // namespace
}  // namespace haloheap::allocators
