// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Ranks that are threads of the host, so that there are more of them than cores.
#include <haloheap/unit/allocators/rank_values.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
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

}  // namespace
}  // namespace haloheap::allocators
