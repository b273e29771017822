// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/history.hpp>

#include <gtest/gtest.h>

namespace haloheap::coherence {
namespace {

constexpr detail::Queue one = 3, two = 6, three = 9;

std::vector<detail::Ticket> waits(const detail::History& history, const Rect& rect, bool write,
                                  detail::Queue queue) {
  std::vector<detail::Ticket> tickets;
  history.collect(rect, write, queue, tickets, 0);
  return tickets;
}

TEST(CoherenceHistory, AReadWaitsForTheWriteBeforeIt) {
  detail::History history;
  history.add(range(0, 8), true, {one, 1});
  EXPECT_EQ(waits(history, range(2, 3), false, two), (std::vector<detail::Ticket>{{one, 1}}));
}

TEST(CoherenceHistory, AReadDoesNotWaitForReads) {
  detail::History history;
  history.add(range(0, 8), false, {one, 1});
  EXPECT_TRUE(waits(history, range(2, 3), false, two).empty());
}

TEST(CoherenceHistory, AWriteWaitsForReadsAndWrites) {
  detail::History history;
  history.add(range(0, 4), false, {one, 1});
  history.add(range(4, 8), true, {two, 1});
  EXPECT_EQ(waits(history, range(0, 2), true, three), (std::vector<detail::Ticket>{{one, 1}}));
  EXPECT_EQ(waits(history, range(6, 8), true, three), (std::vector<detail::Ticket>{{two, 1}}));
  EXPECT_EQ(waits(history, range(3, 5), true, three), (std::vector<detail::Ticket>{{one, 1}, {two, 1}}));
}

TEST(CoherenceHistory, DisjointElementsDoNotWait) {
  detail::History history;
  history.add(range(0, 4), true, {one, 1});
  EXPECT_TRUE(waits(history, range(4, 8), true, two).empty());
}

TEST(CoherenceHistory, TheSameQueueNeedsNoDependence) {
  detail::History history;
  history.add(range(0, 8), true, {one, 1});
  EXPECT_TRUE(waits(history, range(0, 8), true, one).empty());
}

TEST(CoherenceHistory, OfEachQueueOnlyTheLatestIsWaitedFor) {
  detail::History history;
  history.add(range(0, 2), true, {one, 1});
  history.add(range(2, 4), true, {one, 2});
  history.add(range(4, 6), true, {two, 5});
  EXPECT_EQ(waits(history, range(0, 6), true, three), (std::vector<detail::Ticket>{{one, 2}, {two, 5}}));
}

TEST(CoherenceHistory, ListsOfOtherUsesStayAsTheyAre) {
  detail::History history;
  history.add(range(0, 2), true, {one, 4});
  std::vector<detail::Ticket> tickets{{one, 2}};
  history.collect(range(0, 2), true, two, tickets, 1);
  EXPECT_EQ(tickets, (std::vector<detail::Ticket>{{one, 2}, {one, 4}}));
}

TEST(CoherenceHistory, AWriteStandsForWhatItWaitedFor) {
  detail::History history;
  history.add(range(0, 4), false, {one, 1});
  history.add(range(2, 6), false, {two, 1});
  history.add(range(0, 5), true, {three, 1});
  EXPECT_EQ(waits(history, range(0, 5), true, 12), (std::vector<detail::Ticket>{{two, 1}, {three, 1}}))
      << "the second read is not inside of what was written";
}

TEST(CoherenceHistory, AReadReplacesEarlierReadsOfItsQueueOnly) {
  detail::History history;
  history.add(range(0, 4), false, {one, 1});
  history.add(range(0, 4), false, {two, 1});
  history.add(range(0, 4), false, {one, 2});
  EXPECT_EQ(waits(history, range(0, 4), true, three), (std::vector<detail::Ticket>{{two, 1}, {one, 2}}));
}

TEST(CoherenceHistory, WorkThatIsDoneIsForgottenWithAllBeforeItInItsQueue) {
  detail::History history;
  history.add(range(0, 2), true, {one, 1});
  history.add(range(2, 4), true, {one, 3});
  history.add(range(4, 6), true, {two, 1});
  history.forget({one, 2});
  EXPECT_EQ(waits(history, range(0, 6), true, three), (std::vector<detail::Ticket>{{one, 3}, {two, 1}}));
  history.forget({one, 3});
  history.forget({two, 1});
  EXPECT_TRUE(history.empty());
}

}  // namespace
}  // namespace haloheap::coherence
