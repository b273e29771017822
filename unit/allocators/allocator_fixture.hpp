// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What the conformance suites of in-kernel allocators have in common, whoever calls the allocators.
#ifndef HALOHEAP_UNIT_ALLOCATORS_ALLOCATOR_FIXTURE_HPP
#define HALOHEAP_UNIT_ALLOCATORS_ALLOCATOR_FIXTURE_HPP

#include <haloheap/unit/allocators/blocks.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::allocators {
namespace {

template <class A>
class AllocatorFixture : public ::testing::Test {
 protected:
  using Handle = typename A::Handle;
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<unsigned>>;

  static HeapConfig config(std::size_t bytes = std::size_t{64} << 20) {
    return {.bytes = bytes, .label = "tested"};
  }

  /// Any lane frees, in whatever order: for what teams allocated too, from a kernel whose blocks are no
  /// teams.
  void free(const A& heap, const Blocks& blocks, unsigned every = 1, unsigned which = 0) {
    Kokkos::parallel_for("haloheap::test::free", Policy(exec_, 0, static_cast<unsigned>(blocks.extent(0))),
                         Free<Handle>{heap.handle(), blocks, every, which});
  }
  /// The number of blocks; none may have been overwritten.
  unsigned check(const Blocks& blocks) {
    unsigned wrong = 0, there = 0;
    Kokkos::parallel_reduce("haloheap::test::check",
                            Policy(exec_, 0, static_cast<unsigned>(blocks.extent(0))),
                            Check{blocks, A::promises(config()).alignment}, wrong, there);
    EXPECT_EQ(wrong, 0U);
    return there;
  }

  Exec exec_;
};

}  // namespace
}  // namespace haloheap::allocators

#endif
