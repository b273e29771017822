// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Ranks that are threads: of the host, so that there are more of them than cores, and of kernels, with heaps.
#include <haloheap/allocators/coalescing/block_header.hpp>
#include <haloheap/allocators/coalescing/warp_header.hpp>
#include <haloheap/allocators/ranks/kernel_ranks.hpp>
#include <haloheap/allocators/slab_walk/slab_walk.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

namespace haloheap::allocators {
namespace {

struct Malloc {
  bool works = true;
  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const { return works ? std::malloc(bytes) : nullptr; }
  KOKKOS_FUNCTION void deallocate(void* data) const { std::free(data); }
};

constexpr Collective collectives[] = {Collective::reduce, Collective::broadcast, Collective::alltoall};

/// Ranks that are threads of the host.
struct Ranks {
  unsigned count;
  double timeout = 60;
  bool works = true;
  bool posted = false;  ///< messages are the ranks' own
  std::vector<Mailbox> mailboxes = {};
  int given_up = 0;

  /// What run(collectives of a rank) says, of all ranks but those from `present` on, which are not there.
  std::vector<char> operator()(unsigned present,
                               const std::function<bool(const RankCollectives<Malloc>&)>& run) {
    const MailboxPlaces places({Collective::reduce, Collective::broadcast, Collective::alltoall}, count);
    mailboxes.assign(places.count, {nullptr});
    const RankMessages<Malloc> messages({works}, mailboxes.data(), &given_up,
                                        static_cast<std::uint64_t>(1e9 * timeout));
    const RankCollectives<Malloc> world(messages, places, 0, count);
    std::vector<char> done(present);
    std::vector<std::thread> threads;
    for (unsigned rank = 0; rank < present; ++rank)
      threads.emplace_back([&, rank] { done[rank] = run(world.of(rank)) ? 1 : 0; });
    for (std::thread& thread : threads) thread.join();
    for (const Mailbox& mailbox : mailboxes)
      if (!posted) std::free(mailbox.message);
    return done;
  }
};

/// What rank `source` has for rank `target`, at place i: exact, and so are sums over the ranks.
template <class T>
KOKKOS_FUNCTION T value(unsigned source, unsigned target, unsigned i) {
  return static_cast<T>(1000 * source + 10 * target + i);
}

template <class T>
T expected(Collective operation, unsigned count, unsigned rank, unsigned part, unsigned i) {
  if (operation == Collective::broadcast) return value<T>(0, 0, i);
  if (operation == Collective::alltoall) return value<T>(part, rank, i);
  return static_cast<T>(500 * count * (count - 1) + i * count);
}

constexpr unsigned length = 3;

/// Twice, one right after the other: mailboxes are used again, and so is a rank's own buffer for messages.
void check(Collective operation, unsigned count, bool own_buffer) {
  const unsigned parts = operation == Collective::alltoall ? count : 1;
  Ranks ranks{count};
  std::vector<std::vector<double>> results(count, std::vector<double>(std::size_t{parts} * length, -1));
  const auto done = ranks(count, [&](const RankCollectives<Malloc>& me) {
    std::vector<double> from;
    for (unsigned part = 0; part < parts; ++part)
      for (unsigned i = 0; i < length; ++i) from.push_back(value<double>(me.rank(), part, i));
    double* const to = results[me.rank()].data();
    std::vector<double> own(from.size(), -2);
    double* const buffer = own_buffer ? own.data() : nullptr;
    if (!me.run(operation, from.data(), to, length, buffer)) return false;
    std::fill(own.begin(), own.end(), -3);  // nobody looks at it any more
    return me.run(operation, from.data(), to, length, buffer);
  });
  for (unsigned rank = 0; rank < count; ++rank) {
    ASSERT_TRUE(done[rank]) << rank << " of " << count;
    if (operation == Collective::reduce && rank > 0) continue;  // theirs is a work space
    for (unsigned part = 0; part < parts; ++part)
      for (unsigned i = 0; i < length; ++i)
        ASSERT_EQ(results[rank][std::size_t{part} * length + i],
                  expected<double>(operation, count, rank, part, i))
            << rank << " of " << count;
  }
}

TEST(RankCollectives, give_what_they_should_for_any_number_of_ranks) {
  for (const Collective operation : collectives)
    for (const unsigned ranks : {1U, 2U, 3U, 4U, 5U, 8U, 13U, 16U, 17U})
      for (const bool own_buffer : {true, false}) check(operation, ranks, own_buffer);
}

/// A rank that is done with one begins the next one while others are still in the one before.
TEST(RankCollectives, follow_each_other_without_a_barrier) {
  Ranks ranks{5};
  const auto done = ranks(5, [&](const RankCollectives<Malloc>& me) {
    std::vector<long> from(5), to(5);
    for (int i = 0; i < 50; ++i) {
      if (me.rank() == static_cast<unsigned>(i) % 5)
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      long one = me.rank() + 1, sum = 0;
      if (!me.run(Collective::reduce, &one, &sum, 1)) return false;
      if (!me.run(Collective::broadcast, &sum, &one, 1) || one != 15) return false;
      for (unsigned target = 0; target < 5; ++target) from[target] = 100 * i + 10 * me.rank() + target;
      if (!me.run(Collective::alltoall, from.data(), to.data(), 1)) return false;
      for (unsigned source = 0; source < 5; ++source)
        if (to[source] != 100 * i + 10 * source + me.rank()) return false;
    }
    return true;
  });
  EXPECT_EQ(done, std::vector<char>(5, 1));
}

TEST(RankCollectives, a_missing_rank_is_not_waited_for_without_end) {
  for (const auto& [operation, posted] :
       {std::pair(Collective::reduce, false), {Collective::alltoall, false}, {Collective::reduce, true}}) {
    Ranks ranks{4, 0.05, true, posted};
    const auto done =
        ranks(3, [&, operation = operation, posted = posted](const RankCollectives<Malloc>& me) {
          const std::vector<double> from(4);
          std::vector<double> to(4), buffer(4);
          return me.run(operation, from.data(), to.data(), 1, posted ? buffer.data() : nullptr);
        });
    EXPECT_FALSE(done[0]);
    EXPECT_EQ(ranks.given_up, static_cast<int>(GivenUp::timeout));
  }
}

TEST(RankCollectives, all_give_up_when_there_is_no_memory) {
  Ranks ranks{5};
  ranks.works = false;
  const auto done = ranks(5, [](const RankCollectives<Malloc>& me) {
    const std::vector<double> from(5);
    std::vector<double> to(5);
    return me.run(Collective::alltoall, from.data(), to.data(), 1);
  });
  EXPECT_EQ(done, std::vector<char>(5, 0));
  EXPECT_EQ(ranks.given_up, static_cast<int>(GivenUp::no_memory));
}

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
