// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/history.hpp>

#include <gtest/gtest.h>

namespace haloheap::coherence {
namespace {

constexpr Queue one = 3, two = 6, three = 9;

std::vector<Ticket> waits(const History& history, const Rect& rect, bool write, Queue queue) {
  std::vector<Ticket> tickets;
  history.collect(rect, write, queue, tickets, 0);
  return tickets;
}

TEST(CoherenceHistory, AReadWaitsForTheWriteBeforeIt) {
  History history;
  history.add(range(0, 8), true, {one, 1});
  EXPECT_EQ(waits(history, range(2, 3), false, two), (std::vector<Ticket>{{one, 1}}));
}

TEST(CoherenceHistory, AReadDoesNotWaitForReads) {
  History history;
  history.add(range(0, 8), false, {one, 1});
  EXPECT_TRUE(waits(history, range(2, 3), false, two).empty());
}

TEST(CoherenceHistory, AWriteWaitsForReadsAndWrites) {
  History history;
  history.add(range(0, 4), false, {one, 1});
  history.add(range(4, 8), true, {two, 1});
  EXPECT_EQ(waits(history, range(0, 2), true, three), (std::vector<Ticket>{{one, 1}}));
  EXPECT_EQ(waits(history, range(6, 8), true, three), (std::vector<Ticket>{{two, 1}}));
  EXPECT_EQ(waits(history, range(3, 5), true, three), (std::vector<Ticket>{{one, 1}, {two, 1}}));
}

TEST(CoherenceHistory, DisjointElementsDoNotWait) {
  History history;
  history.add(range(0, 4), true, {one, 1});
  EXPECT_TRUE(waits(history, range(4, 8), true, two).empty());
}

TEST(CoherenceHistory, TheSameQueueNeedsNoDependence) {
  History history;
  history.add(range(0, 8), true, {one, 1});
  EXPECT_TRUE(waits(history, range(0, 8), true, one).empty());
}

TEST(CoherenceHistory, OfEachQueueOnlyTheLatestIsWaitedFor) {
  History history;
  history.add(range(0, 2), true, {one, 1});
  history.add(range(2, 4), true, {one, 2});
  history.add(range(4, 6), true, {two, 5});
  EXPECT_EQ(waits(history, range(0, 6), true, three), (std::vector<Ticket>{{one, 2}, {two, 5}}));
}

TEST(CoherenceHistory, ListsOfOtherUsesStayAsTheyAre) {
  History history;
  history.add(range(0, 2), true, {one, 4});
  std::vector<Ticket> tickets{{one, 2}};
  history.collect(range(0, 2), true, two, tickets, 1);
  EXPECT_EQ(tickets, (std::vector<Ticket>{{one, 2}, {one, 4}}));
}

TEST(CoherenceHistory, AWriteStandsForWhatItWaitedFor) {
  History history;
  history.add(range(0, 4), false, {one, 1});
  history.add(range(2, 6), false, {two, 1});
  history.add(range(0, 5), true, {three, 1});
  EXPECT_EQ(waits(history, range(0, 5), true, 12), (std::vector<Ticket>{{two, 1}, {three, 1}}))
      << "the second read is not inside of what was written";
}

TEST(CoherenceHistory, AReadReplacesEarlierReadsOfItsQueueOnly) {
  History history;
  history.add(range(0, 4), false, {one, 1});
  history.add(range(0, 4), false, {two, 1});
  history.add(range(0, 4), false, {one, 2});
  EXPECT_EQ(waits(history, range(0, 4), true, three), (std::vector<Ticket>{{two, 1}, {one, 2}}));
}

TEST(CoherenceHistory, WorkThatIsDoneIsForgottenWithAllBeforeItInItsQueue) {
  History history;
  history.add(range(0, 2), true, {one, 1});
  history.add(range(2, 4), true, {one, 3});
  history.add(range(4, 6), true, {two, 1});
  history.forget({one, 2});
  EXPECT_EQ(waits(history, range(0, 6), true, three), (std::vector<Ticket>{{one, 3}, {two, 1}}));
  history.forget({one, 3});
  history.forget({two, 1});
  EXPECT_TRUE(history.empty());
}

}  // namespace
}  // namespace haloheap::coherence
