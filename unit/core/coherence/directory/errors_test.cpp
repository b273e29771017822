// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/directory.hpp>

#include <gtest/gtest.h>

namespace haloheap::coherence {
namespace {

/// What is said when something cannot be done.
template <class Error, class Function>
std::string text_of(const Function& function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class CoherenceErrors : public testing::Test {
 protected:
  detail::Directory directory{MemoryTopology(2, true, 10), "region"};
  detail::ObjectId v = directory.add({1, 8, 1, "v", true});
  detail::Request request(ElementIndex begin, ElementIndex end, Memory memory,
                          Access access = Access::read) const {
    return {v, range(begin, end), memory, access};
  }
};

TEST_F(CoherenceErrors, ADeviceThatThereIsNot) {
  for (const Memory memory : {3, -1})
    EXPECT_EQ(text_of<UsageError>([&] { directory.acquire(request(0, 1, memory)); }),
              "there is no device " + std::to_string(device_of(memory)) + ": 2 there are");
}

TEST_F(CoherenceErrors, ElementsThatThereAreNot) {
  EXPECT_EQ(text_of<UsageError>([&] { directory.acquire(request(5, 12, host)); }),
            "[5, 12) of 'v' is not within it: it has [0, 8)");
  EXPECT_EQ(text_of<UsageError>([&] { directory.acquire(request(-1, 2, 1)); }),
            "[-1, 2) of 'v' is not within it: it has [0, 8)");
  EXPECT_EQ(text_of<UsageError>([&] { directory.acquire(request(3, 3, 1)); }),
            "[3, 3) of 'v' is not within it: it has [0, 8)");
}

TEST_F(CoherenceErrors, ElementsOfAMatrixThatThereAreNot) {
  const detail::ObjectId m = directory.add({4, 6, 1, "m", false});
  EXPECT_EQ(text_of<UsageError>([&] {
              directory.acquire({m, {0, 2, 5, 7}, 1, Access::read});
            }),
            "rows [0, 2) columns [5, 7) of 'm' is not within it: it has rows [0, 4) columns [0, 6)");
}

TEST_F(CoherenceErrors, ANegativeSize) {
  EXPECT_EQ(text_of<UsageError>([&] {
              directory.add({2, -3, 4, "w", false});
            }),
            "'w' cannot have 2 rows and -3 columns");
}

TEST_F(CoherenceErrors, NoRoomWhileOthersAreInUse) {
  const detail::ObjectId w = directory.add({1, 8, 1, "w", true});
  const detail::Use held = directory.acquire(request(0, 4, 1));
  directory.finish(directory.acquire({w, range(0, 3), 1, Access::read}));
  const Statistics before = directory.statistics();
  try {
    directory.acquire({w, range(0, 7), 1, Access::read});
    FAIL() << "4 of 10 bytes are in use, and 7 were granted";
  } catch (const DeviceFull& error) {
    EXPECT_EQ(error.needed(), 7U);
    EXPECT_EQ(error.freeable(), 3U);
    EXPECT_STREQ(
        error.what(),
        "device 0 has no room for [0, 7) of 'w': 7 bytes are needed, 7 of the 10 it may have are taken, 3 of "
        "them can be freed\n"
        "  consequence: the call was not made; the containers are as before\n"
        "  remedy: divide the work among more devices or calls, or raise the capacity");
  }
  EXPECT_EQ(directory.statistics().evictions, before.evictions)
      << "nothing goes for a wish that cannot be met";
  directory.finish(held);
  directory.acquire({w, range(0, 7), 1, Access::read});
  EXPECT_EQ(directory.statistics().evictions.bytes, 4U);
}

/// The directory thinks there is room, and the device has none.
TEST_F(CoherenceErrors, NoRoomWhenAllWasRelieved) {
  directory.finish(directory.acquire(request(0, 4, 1, Access::write)));
  const detail::Use use = directory.reserve(request(2, 8, 1, Access::write));
  directory.relieve(use);
  ASSERT_EQ(directory.plan().steps.size(), 2U) << "a write-back, and the release";
  EXPECT_EQ(directory.plan().steps[0].rect, range(0, 4));
  EXPECT_EQ(directory.plan().steps[1].kind, detail::Step::Kind::release);
  EXPECT_EQ(text_of<DeviceFull>([&] { directory.relieve(use); }).substr(0, 105),
            "device 0 has no room for [2, 8) of 'v': 6 bytes are needed, 0 of the 10 it may have are taken, "
            "0 of them ");
  EXPECT_TRUE(directory.plan().steps.empty());
  EXPECT_EQ(directory.statistics().allocations.bytes, 4U) << "what was not allocated is not counted";
  EXPECT_EQ(directory.state().used[1], 0U);
}

TEST_F(CoherenceErrors, UsesThatOverlapWhereOneWrites) {
  directory.check_uses(true);
  const detail::Use held = directory.acquire(request(0, 4, 1));
  EXPECT_EQ(text_of<UsageError>([&] { directory.acquire(request(2, 6, 2, Access::write)); }),
            "write on device 1 of [2, 6) of 'v' overlaps the read on device 0 of [0, 4), which is not over\n"
            "  consequence: which of the two comes first is not defined\n"
            "  remedy: end one use before the other begins");
  directory.finish(directory.acquire(request(2, 6, 2, Access::read)));
  directory.finish(directory.acquire(request(4, 8, host, Access::write)));
  directory.finish(held);
  EXPECT_NO_THROW(directory.finish(directory.acquire(request(2, 6, 2, Access::write))));
}

TEST_F(CoherenceErrors, UsesThatWereCancelledOverlapNothing) {
  directory.check_uses(true);
  directory.cancel(directory.reserve(request(0, 4, 1, Access::write)));
  EXPECT_NO_THROW(directory.acquire(request(0, 4, 2, Access::write)));
}

TEST_F(CoherenceErrors, UsesOfAContainerThatIsGoneOverlapNothing) {
  directory.check_uses(true);
  const detail::Use held = directory.acquire(request(0, 4, 1, Access::write));
  directory.remove(v);
  EXPECT_EQ(directory.state().used[1], 0U) << "its memory goes, use or not";
  EXPECT_EQ(directory.finish(held), detail::Ticket());
  ASSERT_EQ(directory.add({1, 8, 1, "v", true}), v);
  EXPECT_NO_THROW(directory.acquire(request(0, 4, 2, Access::write)));
}

/// Numbers of containers and copies are used again; a use that is over must not end one that is not.
TEST_F(CoherenceErrors, AUseThatIsOverEndsNoOther) {
  const detail::Use over = directory.acquire(request(0, 4, 1, Access::write));
  directory.remove(v);
  ASSERT_EQ(directory.add({1, 8, 1, "v", true}), v);
  directory.finish(directory.acquire(request(4, 8, 2)));  // takes the other number that is free
  const detail::Use held = directory.acquire(request(0, 4, 1, Access::write));
  ASSERT_EQ(held.copy, over.copy) << "or this tests nothing";
  EXPECT_EQ(directory.finish(over), detail::Ticket());
  directory.cancel(over);
  EXPECT_NE(directory.use_under_way(v), "");
  EXPECT_NE(directory.finish(held), detail::Ticket());
}

TEST_F(CoherenceErrors, AUseEndsOnce) {
  for (const bool checked : {false, true}) {
    directory.check_uses(checked);
    const detail::Use use = directory.acquire(request(0, 4, 1, Access::write));
    EXPECT_NE(directory.finish(use), detail::Ticket());
    EXPECT_EQ(directory.finish(use), detail::Ticket());
    directory.cancel(use);
    const detail::Use held = directory.acquire(request(0, 4, 1, Access::write));
    EXPECT_EQ(directory.use_under_way(v), "[0, 4) of it is in use on device 0");
    directory.cancel(held);
    directory.cancel(held);
    EXPECT_EQ(directory.finish(held), detail::Ticket());
    EXPECT_EQ(directory.state().copy(held.copy).pins, 0);
  }
}

TEST_F(CoherenceErrors, AResizeWhileInUse) {
  const detail::Use held = directory.acquire(request(0, 4, 2));
  EXPECT_EQ(text_of<UsageError>([&] { directory.resize(v, 1, 20); }),
            "'v' cannot be resized while [0, 4) of it is in use on device 1\n"
            "  consequence: the use would lose its elements\n"
            "  remedy: end the use first");
  EXPECT_EQ(directory.use_under_way(v), "[0, 4) of it is in use on device 1");
  directory.finish(held);
  EXPECT_EQ(directory.use_under_way(v), "");
  EXPECT_EQ(text_of<UsageError>([&] { directory.resize(v, 1, 20); }),
            "'v' cannot be resized while it has copies on devices\n  remedy: release them first");
  directory.release_devices(v);
  directory.resize(v, 1, 20);
  EXPECT_EQ(directory.state().object(v).whole, range(0, 20));
}

TEST(CoherencePolicyErrors, APolicyThatThereIsNot) {
  EXPECT_EQ(text_of<UsageError>([] { detail::Directory(MemoryTopology(1, false), "msi"); }),
            "there is no coherence policy 'msi'\n  remedy: use one of: region, paper, initial, "
            "initial_flush, none");
}

TEST(CoherencePolicyErrors, TheInitialMechanismHasNoSubMatrices) {
  detail::Directory directory(MemoryTopology(1, false), "initial");
  const detail::ObjectId m = directory.add({4, 6, 1, "m", false});
  EXPECT_EQ(text_of<CapabilityError>([&] {
              directory.acquire({m, {0, 2, 1, 3}, 1, Access::read});
            }),
            "the policy initial has no sub-matrices: rows [0, 2) columns [1, 3) of 'm' is no range\n"
            "  consequence: the matrix cannot be used so\n"
            "  remedy: use whole rows, or the policy region, paper or none");
  EXPECT_NO_THROW(directory.acquire({m, {0, 2, 0, 6}, 1, Access::read}));
  EXPECT_NO_THROW(directory.acquire({m, {2, 3, 1, 3}, 1, Access::read}));
}

}  // namespace
}  // namespace haloheap::coherence
