// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/kernels/waiting_blocks.hpp>
#include <haloheap/core/base/error.hpp>

#include <gtest/gtest.h>

#include <string>

namespace haloheap::comm {
namespace {

TEST(WaitingBlocks, of_all_ranks_leave_room_for_what_they_wait_for) {
  for (const int multiprocessors : {1, 2, 3, 16, 20, 78, 108, 114, 132, 148})
    for (const int each : {1, 2, 4, 8})
      for (int ranks = 1; ranks <= 80; ++ranks) {
        const int blocks = detail::waiting_blocks(multiprocessors, each, ranks);
        ASSERT_GE(blocks, 0);
        if (ranks == 1) {
          EXPECT_GE(blocks, 1);
          EXPECT_LE(blocks, multiprocessors * each)
              << "all run at once, or the first would wait for the last";
          continue;
        }
        // At most one block a multiprocessor, and half of these free.
        EXPECT_LE(blocks * ranks, multiprocessors / 2) << multiprocessors << " " << ranks;
        EXPECT_EQ(blocks == 0, ranks > multiprocessors / 2);
      }
}

TEST(WaitingBlocks, of_a_rank_alone_take_half_of_the_places) {
  EXPECT_EQ(detail::waiting_blocks(132, 4, 1), 264);
  EXPECT_EQ(detail::waiting_blocks(1, 1, 1), 1);
  EXPECT_EQ(detail::waiting_blocks(132, 4, 2), 33);
  EXPECT_EQ(detail::waiting_blocks(132, 4, 3), 22);
  EXPECT_EQ(detail::waiting_blocks(132, 4, 66), 1);
}

TEST(WaitingBlocks, that_do_not_fit_are_an_error) {
  EXPECT_EQ(detail::require_waiting_blocks(132, 4, 66), 1);
  try {
    detail::require_waiting_blocks(20, 4, 12);
    ADD_FAILURE();
  } catch (const CapabilityError& error) {
    EXPECT_STREQ(error.what(),
                 "12 ranks share a device of 20 multiprocessors, which lets 10 at most wait for each other\n"
                 "  consequence: kernels that wait would leave no room for those that they wait for\n"
                 "  remedy: start fewer ranks on a device, or use transport pinned, where the host "
                 "waits");
  }
}

TEST(RanksOnDevice, are_counted_by_the_device_s_identity) {
  const Communicator world(MPI_COMM_WORLD);
  const auto device = [](int number) {
    backend::DeviceIdentity identity{};
    identity[15] = static_cast<std::byte>(number);
    return identity;
  };
  EXPECT_EQ(detail::ranks_on_device(world, device(7)), world.size());
  EXPECT_EQ(detail::ranks_on_device(world, device(world.rank())), 1);
  const int even = (world.size() + 1) / 2, odd = world.size() / 2;
  EXPECT_EQ(detail::ranks_on_device(world, device(world.rank() % 2)), world.rank() % 2 == 0 ? even : odd);
  const int here = detail::ranks_on_device(world, backend::device_identity());
  EXPECT_GE(here, 1);
  EXPECT_LE(here, world.size());
  if (backend::device_count() == 1) {
    EXPECT_EQ(here, world.size());
  }
}

}  // namespace
}  // namespace haloheap::comm
