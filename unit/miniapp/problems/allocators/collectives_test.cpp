// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/residency.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/problems/allocators/collectives.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <thread>

namespace haloheap {
namespace {

struct Malloc {
  bool works = true;
  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const { return works ? std::malloc(bytes) : nullptr; }
  KOKKOS_FUNCTION void deallocate(void* data) const { std::free(data); }
};

/// Ranks that are threads of the host.
struct Ranks {
  unsigned count, n;
  Collective operation;
  double timeout = 60;
  bool works = true;
  bool posted = false;  ///< messages are the ranks' own
  std::vector<Mailbox> mailboxes = {};
  int given_up = 0;

  /// What run(collectives of a rank) says, of all ranks but those from `present` on, which are not there.
  std::vector<char> operator()(unsigned present,
                               const std::function<bool(const RankCollectives<Malloc>&)>& run) {
    mailboxes.assign(mailboxes_of(operation, count), {nullptr});
    const RankMessages<Malloc> messages({works}, mailboxes.data(), &given_up,
                                        static_cast<std::uint64_t>(1e9 * timeout));
    std::vector<char> done(present);
    std::vector<std::thread> threads;
    for (unsigned rank = 0; rank < present; ++rank)
      threads.emplace_back([&, rank] { done[rank] = run({messages, rank, count, n}) ? 1 : 0; });
    for (std::thread& thread : threads) thread.join();
    for (const Mailbox& mailbox : mailboxes)
      if (!posted) std::free(mailbox.message);
    return done;
  }
};

double value(unsigned source, unsigned target, unsigned i) {
  return 1000.0 * source + 10.0 * target + i;
}

/// Twice, one right after the other: mailboxes are used again, and so is a rank's own buffer for messages.
void check(Collective operation, unsigned count, CollectiveMethod method) {
  constexpr unsigned n = 3;
  const unsigned parts = operation == Collective::alltoall ? count : 1;
  Ranks ranks{count, n, operation};
  std::vector<std::vector<double>> results(count, std::vector<double>(std::size_t{parts} * n, -1));
  const auto done = ranks(count, [&](const RankCollectives<Malloc>& collectives) {
    std::vector<double> from;
    for (unsigned part = 0; part < parts; ++part)
      for (unsigned i = 0; i < n; ++i) from.push_back(value(collectives.rank, part, i));
    double* const to = results[collectives.rank].data();
    std::vector<double> own(from.size(), -2);
    double* const buffer = method == CollectiveMethod::collective ? own.data() : nullptr;
    if (!collectives.run(operation, from.data(), to, buffer)) return false;
    std::fill(own.begin(), own.end(), -3);  // nobody looks at it any more
    return collectives.run(operation, from.data(), to, buffer);
  });
  for (unsigned rank = 0; rank < count; ++rank) {
    ASSERT_TRUE(done[rank]) << rank << " of " << count;
    if (operation == Collective::reduce && rank > 0) continue;  // theirs is a work space
    for (unsigned part = 0; part < parts; ++part)
      for (unsigned i = 0; i < n; ++i) {
        double expected = 500.0 * count * (count - 1) + static_cast<double>(i) * count;
        if (operation == Collective::alltoall) expected = value(part, rank, i);
        if (operation == Collective::broadcast) expected = value(0, 0, i);
        ASSERT_EQ(results[rank][std::size_t{part} * n + i], expected) << rank << " of " << count;
      }
  }
}

TEST(RankCollectives, ReduceSumsOverAnyNumberOfRanks) {
  for (const unsigned ranks : {1U, 2U, 3U, 4U, 5U, 8U, 13U, 16U, 17U})
    for (const CollectiveMethod method : {CollectiveMethod::collective, CollectiveMethod::point_to_point})
      check(Collective::reduce, ranks, method);
}

TEST(RankCollectives, BroadcastReachesAnyNumberOfRanks) {
  for (const unsigned ranks : {1U, 2U, 3U, 4U, 5U, 8U, 13U, 16U, 17U})
    for (const CollectiveMethod method : {CollectiveMethod::collective, CollectiveMethod::point_to_point})
      check(Collective::broadcast, ranks, method);
}

TEST(RankCollectives, AlltoallExchangesBetweenAnyNumberOfRanks) {
  for (const unsigned ranks : {1U, 2U, 3U, 4U, 5U, 8U, 13U, 16U, 17U})
    for (const CollectiveMethod method : {CollectiveMethod::collective, CollectiveMethod::point_to_point})
      check(Collective::alltoall, ranks, method);
}

TEST(RankCollectives, AMissingRankIsNotWaitedForWithoutEnd) {
  for (const auto& [operation, posted] :
       {std::pair(Collective::reduce, false), {Collective::alltoall, false}, {Collective::reduce, true}}) {
    Ranks ranks{4, 1, operation, 0.05, true, posted};
    const auto done =
        ranks(3, [&, operation = operation, posted = posted](const RankCollectives<Malloc>& collectives) {
          const std::vector<double> from(4);
          std::vector<double> to(4), buffer(4);
          return collectives.run(operation, from.data(), to.data(), posted ? buffer.data() : nullptr);
        });
    EXPECT_FALSE(done[0]);
    EXPECT_EQ(ranks.given_up, static_cast<int>(GivenUp::timeout));
  }
}

TEST(RankCollectives, AllGiveUpWhenThereIsNoMemory) {
  Ranks ranks{5, 1, Collective::alltoall};
  ranks.works = false;
  const auto done = ranks(5, [](const RankCollectives<Malloc>& collectives) {
    const std::vector<double> from(5);
    std::vector<double> to(5);
    return collectives.run(Collective::alltoall, from.data(), to.data(), nullptr);
  });
  EXPECT_EQ(done, std::vector<char>(5, 0));
  EXPECT_EQ(ranks.given_up, static_cast<int>(GivenUp::no_memory));
}

deck::Deck deck_of(const std::string& text) {
  return deck::load_text(app_schema(), "problem = 'collectives'\n" + text, "a.toml").point(0);
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Collectives, BlocksThatAreNotResidentTogetherAreRefused) {
  EXPECT_EQ((backend::Residency{132, 1024}.blocks_of(512)), 264);
  EXPECT_EQ((backend::Residency{132, 1024}.blocks_of(1000)), 132);
  EXPECT_EQ((backend::Residency{4, 1}.blocks_of(2)), 2) << "four threads of a host";
  EXPECT_EQ((backend::Residency{4, 1}.blocks_of(5)), 0);
  const deck::Deck deck = deck_of("collectives = {blocks = 30, threads = 512}");
  EXPECT_EQ(refusal([&] { require_resident(deck, 30); }), "");
  const std::string text = refusal([&] { require_resident(deck, 29); });
  EXPECT_NE(text.find("all 30 blocks of 512 must run at once, and here no more than 29 do"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("use 29 blocks or fewer"), std::string::npos) << text;
}

TEST(Collectives, BuffersThatCannotBeServedAreRefused) {
  const auto text = [](const std::string& more) {
    return refusal(
        [&] { read_collectives(deck_of("collectives = {blocks = 8, threads = 32, doubles = 4}\n" + more)); });
  };
  EXPECT_NE(text("allocator = {name = 'random_walk', page = 4096}")
                .find("a rank's buffer of 8192 bytes is more than"),
            std::string::npos);
  EXPECT_EQ(text("allocator = {name = 'random_walk', page = 8192}"), "");
  EXPECT_EQ(text("allocator.name = 'warp_header_over_native'"), "");
  EXPECT_EQ(text("allocator.name = 'block_header'"), "");
}

TEST(Collectives, RequestsAreCounted) {
  const auto requests = [](const std::string& more) {
    return read_collectives(deck_of("collectives = {blocks = 8, threads = 32, doubles = 4, " + more + "}"))
        .requests();
  };
  EXPECT_EQ(requests("operation = 'alltoall'"), 3U * 256);
  EXPECT_EQ(requests("operation = 'alltoall', method = 'point_to_point'"), 2U * 256 + 256 * 255);
  EXPECT_EQ(requests("operation = 'reduce'"), 4U * 256);
  EXPECT_EQ(requests("operation = 'broadcast', method = 'point_to_point'"), 2U * 256 + 2 * 255);
}

}  // namespace
}  // namespace haloheap
