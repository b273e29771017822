// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Ranks that are threads of kernels, with heaps.
#include <haloheap/allocators/coalescing/block_header.hpp>
#include <haloheap/allocators/coalescing/warp_header.hpp>
#include <haloheap/allocators/ranks/kernel_ranks.hpp>
#include <haloheap/allocators/slab_walk/slab_walk.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/unit/allocators/rank_values.hpp>

#include <gtest/gtest.h>

namespace haloheap::allocators {
namespace {

/// All operations in one kernel, with both ways of messages.
template <class T, class Handle>
struct AllOperations {
  RankCollectives<Handle> world;
  T *from, *to;  ///< of each rank three operations, with a part for each rank
  bool in_team;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const auto me = world.of(rank_of(member));
    for (int number = 0; number < 3; ++number) {
      const auto operation = static_cast<Collective>(number);
      const std::size_t place = (me.rank() * std::size_t{3} + number) * me.size() * length;
      for (unsigned part = 0; part < me.parts(operation); ++part)
        for (unsigned i = 0; i < length; ++i) from[place + part * length + i] = value<T>(me.rank(), part, i);
      if (in_team)
        me.run(operation, member, from + place, to + place, length);
      else
        me.run(operation, from + place, to + place, length);
    }
  }
};

class KernelRanksTest : public testing::Test {
 protected:
  backend::Exec exec;
  std::shared_ptr<memory::MemoryResource> device = memory::make_memory_resource("device");
  unsigned threads = backend::kernels_on_host ? 1 : 16;
  unsigned count = backend::kernels_on_host ? static_cast<unsigned>(exec.concurrency()) : 48;

  template <class Heap, class T>
  void check(bool in_team) {
    const Heap heap(exec, {.bytes = std::size_t{8} << 20, .label = "ranks"});
    const KernelRanks ranks(exec, device, heap, count);
    const std::size_t size = std::size_t{3} * count * count * length;
    const Kokkos::View<T*, backend::Exec::memory_space> from("from", size), to("to", size);
    for (int run = 0; run < 2; ++run) {
      Kokkos::deep_copy(exec, to, T(-1));
      const AllOperations<T, typename Heap::Handle> kernel{ranks.in_kernel(), from.data(), to.data(),
                                                           in_team};
      Kokkos::parallel_for("haloheap::unit::ranks", ranks.policy(exec, threads), kernel);
      ranks.require_done(exec);
      const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), to);
      for (unsigned rank = 0; rank < count; ++rank)
        for (const Collective operation : collectives)
          for (unsigned part = 0; part < (operation == Collective::alltoall ? count : 1); ++part)
            for (unsigned i = 0; i < length; ++i) {
              if (operation == Collective::reduce && rank > 0) continue;
              ASSERT_EQ(
                  found(((rank * std::size_t{3} + static_cast<unsigned>(operation)) * count + part) * length +
                        i),
                  expected<T>(operation, count, rank, part, i))
                  << name_of(operation) << ", rank " << rank;
            }
    }
    EXPECT_EQ(heap.statistics(exec).in_use, 0U) << "all messages are freed";
  }
};

TEST_F(KernelRanksTest, give_what_they_should_with_any_heap) {
  for (const bool in_team : {true, false}) {
    check<SlabWalk, double>(in_team);
    check<SlabWalk, int>(in_team);
    check<WarpHeader, float>(in_team);
  }
  check<BlockHeader, double>(true);
}

template <class Handle>
struct LastIsAbsent {
  RankCollectives<Handle> world;
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const auto me = world.of(rank_of(member));
    int one = 1, sum = 0;
    if (me.rank() + 1 != me.size()) me.run(Collective::reduce, &one, &sum, 1);
  }
};

TEST_F(KernelRanksTest, say_why_they_gave_up_and_can_be_used_again) {
  if (count < 2) GTEST_SKIP() << "one rank waits for none";
  const SlabWalk heap(exec, {.bytes = std::size_t{1} << 20, .label = "ranks"});
  const KernelRanks ranks(exec, device, heap, count, {Collective::reduce}, 0.05);
  Kokkos::parallel_for("haloheap::unit::absent", ranks.policy(exec, threads),
                       LastIsAbsent<SlabWalk::Handle>{ranks.in_kernel()});
  EXPECT_THROW(ranks.require_done(exec), CommunicationError);
  EXPECT_NO_THROW(ranks.require_done(exec)) << "it is said once";
}

/// What is sent to rank 0 stays where it is.
template <class Handle>
struct Sum {
  RankCollectives<Handle> world;
  bool first_is_absent;
  int* sum;
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const auto me = world.of(rank_of(member));
    int one = 1, all = 0;
    if (me.rank() == 0 && first_is_absent) return;
    me.run(Collective::reduce, &one, &all, 1);
    if (me.rank() == 0) *sum = all;
  }
};

TEST_F(KernelRanksTest, notice_messages_that_nobody_takes) {
  if (count < 2) GTEST_SKIP() << "one rank sends none";
  const SlabWalk heap(exec, {.bytes = std::size_t{1} << 20, .label = "ranks"});
  const KernelRanks ranks(exec, device, heap, count, {Collective::reduce});
  const Kokkos::View<int, backend::Exec::memory_space> sum("sum");
  const auto run = [&](bool first_is_absent) {
    Kokkos::parallel_for("haloheap::unit::sum", ranks.policy(exec, threads),
                         Sum<SlabWalk::Handle>{ranks.in_kernel(), first_is_absent, sum.data()});
    ranks.require_done(exec);
  };
  // A rank that is in the middle of the tree waits for none of those behind it, and so nobody waits.
  EXPECT_THROW(run(true), CommunicationError);
  EXPECT_NO_THROW(run(false));
  int found = 0;
  Kokkos::deep_copy(found, sum);
  EXPECT_EQ(found, static_cast<int>(count)) << "what was left is not taken for a new message";
}

TEST_F(KernelRanksTest, refuse_operations_that_they_were_not_made_for) {
  const SlabWalk heap(exec, {.bytes = std::size_t{1} << 20, .label = "ranks"});
  const KernelRanks ranks(exec, device, heap, count, {Collective::broadcast});
  Kokkos::parallel_for("haloheap::unit::undeclared", ranks.policy(exec, threads),
                       LastIsAbsent<SlabWalk::Handle>{ranks.in_kernel()});
  if (count > 1) {
    EXPECT_THROW(ranks.require_done(exec), UsageError);
  }
}

TEST_F(KernelRanksTest, refuse_what_cannot_be) {
  const SlabWalk heap(exec, {.bytes = std::size_t{1} << 20, .label = "ranks"});
  EXPECT_THROW(KernelRanks(exec, device, heap, 0), UsageError);
  EXPECT_THROW(KernelRanks(exec, device, heap, 4, {Collective::reduce}, 0), UsageError);
  const KernelRanks six(exec, device, heap, 6, {Collective::reduce});
  EXPECT_THROW(six.policy(exec, 4), UsageError);
  EXPECT_THROW(six.policy(exec, 0), UsageError);
  const KernelRanks many(exec, device, heap, 1U << 24, {Collective::broadcast});
  EXPECT_THROW(many.policy(exec, 32), CapabilityError);
}

}  // namespace
}  // namespace haloheap::allocators
