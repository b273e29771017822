// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/directory.hpp>
#include <haloheap/unit/core/coherence/directory/world.hpp>

#include <gtest/gtest.h>

namespace haloheap::coherence {
namespace {

using test::device;

Statistics after(const char* policy, const std::vector<detail::Request>& requests, int devices = 2,
                 bool peer = false) {
  detail::Directory directory(MemoryTopology(devices, peer), policy);
  directory.add({1, 8, 1, "v", true});
  for (const detail::Request& request : requests) directory.finish(directory.acquire(request));
  return directory.statistics();
}

const detail::Request write_all{0, range(0, 8), device(0), Access::write},
    read_all{0, range(0, 8), device(0), Access::read};

// --- All
// ---------------------------------------------------------------------------------------------------------

/// E16: who promises to write every element gets memory, not contents.
TEST(CoherencePolicies, WhatIsOnlyWrittenIsNotBrought) {
  for (const PolicyEntry& policy : policies())
    EXPECT_EQ(after(policy.name.c_str(), {write_all}).to_devices(), 0U) << policy.name;
}

TEST(CoherencePolicies, ASecondReadIsAHitWhereThePolicyRemembers) {
  for (const PolicyEntry& policy : policies()) {
    const Statistics statistics = after(policy.name.c_str(), {read_all, read_all});
    EXPECT_EQ(statistics.to_devices(), policy.keeps_operands ? 8U : 16U) << policy.name;
    EXPECT_EQ(statistics.hits, policy.keeps_operands ? 1U : 0U) << policy.name;
  }
}

/// Devices keep what a policy's entry says: what a second use of the same elements finds.
TEST(CoherencePolicies, ResultsStayWhereTheEntrySaysSo) {
  for (const PolicyEntry& policy : policies())
    EXPECT_EQ(after(policy.name.c_str(), {write_all, read_all}).to_devices(), policy.keeps_results ? 0U : 8U)
        << policy.name;
}

TEST(CoherencePolicies, DevicesCopyToEachOtherWhereTheEntrySaysSo) {
  const detail::Request read_elsewhere{0, range(0, 8), device(1), Access::read};
  for (const PolicyEntry& policy : policies()) {
    const Statistics statistics = after(policy.name.c_str(), {write_all, read_elsewhere}, 2, true);
    EXPECT_EQ(statistics.between(device(0), device(1)).bytes, policy.peer_copies ? 8U : 0U) << policy.name;
  }
}

/// The host writes one element of what a device has, and the device reads all of it again.
TEST(CoherencePolicies, OneElementIsBroughtAgainWhereTheEntryKnowsElements) {
  const detail::Request write_one{0, range(3, 4), host, Access::write};
  for (const PolicyEntry& policy : policies())
    EXPECT_EQ(after(policy.name.c_str(), {read_all, write_one, read_all}).to_devices(),
              policy.knows_elements ? 8U + 1 : 8U + 8)
        << policy.name;
}

TEST(CoherencePolicies, CopiesLastWhereTheEntrySaysSo) {
  for (const PolicyEntry& policy : policies()) {
    detail::Directory directory(MemoryTopology(1, false), policy.name);
    const detail::ObjectId v = directory.add({1, 8, 1, "v", true});
    directory.finish(directory.acquire(read_all));
    directory.acquire({v, range(3, 4), host, Access::write});
    EXPECT_EQ(directory.state().object(v).copies.empty(), !policy.keeps_copies) << policy.name;
  }
}

TEST(CoherencePolicies, SubMatricesAreRefusedWhereTheEntrySaysSo) {
  for (const PolicyEntry& policy : policies()) {
    detail::Directory directory(MemoryTopology(1, false), policy.name);
    const detail::ObjectId m = directory.add({4, 4, 1, "m", false});
    const auto use = [&] { directory.finish(directory.acquire({m, {1, 3, 1, 3}, device(0), Access::read})); };
    if (policy.sub_matrices)
      EXPECT_NO_THROW(use()) << policy.name;
    else
      EXPECT_THROW(use(), CapabilityError) << policy.name;
  }
}

TEST(CoherencePolicies, RemediesNameThoseWithAProperty) {
  EXPECT_EQ(policies_that(&PolicyEntry::knows_elements), "region");
  EXPECT_EQ(policies_that(&PolicyEntry::keeps_copies), "region or paper");
  EXPECT_EQ(policies_that(&PolicyEntry::keeps_operands), "region, paper, initial or initial_flush");
}

TEST(CoherencePolicies, ResetStatisticsCountsFromZero) {
  detail::Directory directory(MemoryTopology(1, false), "region");
  const detail::ObjectId v = directory.add({1, 8, 4, "v", true});
  directory.finish(directory.acquire(read_all));
  EXPECT_EQ(directory.statistics(v).to_devices(), 32U);
  directory.reset_statistics();
  EXPECT_EQ(directory.statistics().moved, Statistics(2).moved);
  EXPECT_EQ(directory.statistics(v).allocations, Amount());
}

/// Two copies have what the main copy lacks: update_host must not think that the other one will do it.
TEST(CoherencePolicies, TheHostGetsWhatTwoDevicesHave) {
  for (const std::string& policy : policies().names())
    for (const bool drop : {false, true}) {
      test::World world({.policy = policy, .peers = test::Peers::all, .devices = 2, .objects = 1});
      world.use(device(0), Access::write, range(0, 8));
      world.use(device(1), Access::read, range(0, 8));
      drop ? world.flush() : world.update_host();
      world.use(host, Access::read, range(0, 8));
    }
}

// --- region
// ------------------------------------------------------------------------------------------------------

/// Two devices have the elements that a third reads: they come over the better of the two links.
TEST(CoherenceRegionLinks, TheFastestLinkIsTaken) {
  for (const int fast : {0, 1})
    for (const bool by_latency : {false, true}) {
      MemoryTopology topology(3, true);
      Link& link = topology.link(device(fast), device(2));
      by_latency ? link.latency /= 4 : link.bandwidth *= 4;
      detail::Directory directory(topology, "region");
      directory.add({1, 1 << 20, 1, "v", true});
      for (const auto& [number, access] : {std::pair{0, Access::write}, {1, Access::read}, {2, Access::read}})
        directory.finish(directory.acquire({0, range(0, 1 << 20), device(number), access}));
      EXPECT_EQ(directory.statistics().between(device(fast), device(2)).bytes, 1U << 20)
          << fast << by_latency;
    }
}

/// Of a copy in too many pieces the ranges stay that its own uses asked for, not those of a copy before it.
TEST(CoherenceRegionPieces, ACopyKeepsNothingThatACopyBeforeItWasAskedFor) {
  MemoryTopology topology(1, false);
  topology.max_pieces = 1;
  detail::Directory directory(topology, "region");
  const detail::ObjectId v = directory.add({1, 8, 1, "v", true});
  const auto use = [&](ElementIndex begin, ElementIndex end, Memory memory, Access access) {
    const detail::Use mine = directory.acquire({v, range(begin, end), memory, access});
    directory.finish(mine);
    return mine.copy;
  };
  const detail::CopyId first = use(2, 3, device(0), Access::read);
  directory.release_devices(v);
  ASSERT_EQ(use(0, 8, device(0), Access::read), first) << "or this tests nothing";
  use(4, 5, host, Access::write);
  EXPECT_TRUE(directory.state().copy(first).current.empty());
}

// --- none
// --------------------------------------------------------------------------------------------------------

TEST(CoherenceNone, OperandsGoUpBeforeAndDownAfterEachUse) {
  const Statistics statistics =
      after("none", {{0, range(0, 4), 1, Access::read_write}, {0, range(2, 8), 2, Access::read}, write_all});
  EXPECT_EQ(statistics.between(host, 1), (Amount{1, 4}));
  EXPECT_EQ(statistics.between(host, 2), (Amount{1, 6}));
  EXPECT_EQ(statistics.between(1, host), (Amount{2, 12}));
  EXPECT_EQ(statistics.between(2, host), Amount()) << "what was only read does not come back";
  EXPECT_EQ(statistics.allocations, (Amount{3, 18}));
}

TEST(CoherenceNone, TwoOperandsThatAreTheSameShareOneCopy) {
  detail::Directory directory(MemoryTopology(1, false), "none");
  directory.add({1, 8, 1, "v", true});
  const detail::Use a = directory.acquire(read_all), b = directory.acquire(read_all);
  EXPECT_EQ(a.copy, b.copy);
  directory.finish(a);
  EXPECT_TRUE(directory.plan().steps.empty());
  directory.finish(b);
  ASSERT_EQ(directory.plan().steps.size(), 1U);
  EXPECT_EQ(directory.plan().steps[0].kind, detail::Step::Kind::release);
}

// --- initial
// -----------------------------------------------------------------------------------------------------

/// Scenario 1 of [Dastgeer2016]: a part is written, and the whole, which is there and old, is read.
TEST(CoherenceInitial, FlushesWhereItWouldUseAStaleCopy) {
  detail::Directory directory(MemoryTopology(2, false), "initial");
  directory.add({1, 8, 1, "v", true});
  directory.finish(directory.acquire(read_all));
  directory.finish(directory.acquire({0, range(0, 4), device(1), Access::write}));
  directory.acquire(read_all);
  const std::vector<detail::Step>& steps = directory.plan().steps;
  ASSERT_EQ(steps.size(), 5U);
  EXPECT_EQ(steps[0].rect, range(0, 4)) << "written back";
  EXPECT_EQ(steps[1].kind, detail::Step::Kind::release);
  EXPECT_EQ(steps[2].kind, detail::Step::Kind::release);
  EXPECT_EQ(steps[3].kind, detail::Step::Kind::allocate);
  EXPECT_EQ(steps[4].rect, range(0, 8)) << "and all of it up again";
}

TEST(CoherenceInitial, AWriteOnTheHostRemovesAllDeviceCopies) {
  detail::Directory directory(MemoryTopology(2, false), "initial");
  const detail::ObjectId v = directory.add({1, 8, 1, "v", true});
  directory.finish(directory.acquire(read_all));
  directory.finish(directory.acquire({0, range(4, 8), device(1), Access::read}));
  directory.acquire({0, range(0, 1), host, Access::write});
  EXPECT_TRUE(directory.state().object(v).copies.empty());
}

/// Two operands of one call: the first is modified from now on, but its kernel has not run.
TEST(CoherenceInitial, DoesNotWriteBackWhatIsAboutToBeWritten) {
  test::World world({.policy = "initial", .devices = 2, .objects = 1});
  world.together({0, range(0, 4), device(0), Access::write}, {0, range(4, 8), device(0), Access::read},
                 false);
  world.together({0, range(0, 4), device(0), Access::write}, {0, range(4, 8), host, Access::write}, false);
  world.use(host, Access::read, range(0, 8));
}

// --- Listing 2
// ---------------------------------------------------------------------------------------------------

/// `v1[10] = 11` waits for the call that uses v1, not for the one before it that uses v0.
TEST(CoherenceListingTwo, AnElementWaitsForItsOwnCallOnly) {
  for (const PolicyEntry& policy : policies()) {
    if (!policy.keeps_copies) continue;
    test::Setting setting{policy.name, test::Peers::none, 2, 1, 20, 2, unlimited, false, 0};
    detail::Directory directory(test::topology_of(setting), policy.name);
    const detail::ObjectId v0 = directory.add({1, 20, 4, "v0", true}),
                           v1 = directory.add({1, 20, 4, "v1", true});
    const auto map = [&](detail::ObjectId v, int number) {
      return directory.finish(directory.acquire({v, range(0, 20), device(number), Access::read_write}));
    };
    const detail::Ticket call1 = map(v0, 0), call2 = map(v1, 1);
    EXPECT_NE(call1.queue, call2.queue);
    EXPECT_FALSE(directory.host_state(v1).readable) << "or the element would be read at once";

    directory.acquire({v1, range(10, 11), host, Access::read_write});
    const detail::Plan& plan = directory.plan();
    ASSERT_EQ(plan.steps.size(), 1U);
    const auto before = plan.dependences(plan.steps[0].after);
    ASSERT_EQ(before.size(), 2U) << "the call, and the copy that has brought its operand";
    EXPECT_EQ(before[0], call2);
    for (const detail::Ticket& ticket : before) EXPECT_EQ(detail::memory_of_queue(ticket.queue), device(1));
    const auto waits = plan.dependences(plan.after);
    EXPECT_NE(std::find(waits.begin(), waits.end(), plan.steps[0].ticket), waits.end());
    for (const detail::Ticket& ticket : waits) EXPECT_EQ(detail::memory_of_queue(ticket.queue), device(1));
  }
}

/// Elements that a call does not use do not wait for it either.
TEST(CoherenceListingTwo, OtherElementsOfTheSameContainerDoNotWait) {
  detail::Directory directory(MemoryTopology(1, false), "region");
  directory.add({1, 20, 4, "v", true});
  directory.finish(directory.acquire({0, range(0, 10), device(0), Access::write}));
  directory.acquire({0, range(10, 11), host, Access::read_write});
  EXPECT_TRUE(directory.plan().steps.empty());
  EXPECT_TRUE(directory.plan().dependences(directory.plan().after).empty());
}

}  // namespace
}  // namespace haloheap::coherence
