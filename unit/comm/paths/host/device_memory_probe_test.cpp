// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Isend stands in front of the MPI library's own, to send wrong bytes on purpose.
#include <haloheap/comm/paths/host/device_memory_probe.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <gtest/gtest.h>

#include <cstddef>

namespace {

int wrong_from_size = -1;  // messages of so many bytes and more end in a wrong byte

}  // namespace

extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  const bool wrong = wrong_from_size > 0 && count >= wrong_from_size;
  if (wrong) static_cast<unsigned char*>(const_cast<void*>(data))[count - 1] ^= 1;
  return PMPI_Isend(data, count, type, peer, tag, comm, request);
}

namespace haloheap::comm {
namespace {

class DeviceMemoryProbe : public ::testing::Test {
 protected:
  void TearDown() override { wrong_from_size = -1; }

  /// In memory that this test may spoil.
  std::string refusal() const {
    try {
      probe_device_memory(world, memory::make_memory_resource("pinned"), 600);
    } catch (const Error& error) {
      return std::to_string(error.exit_code()) + ": " + error.what();
    }
    return "";
  }

  const Communicator world{MPI_COMM_WORLD};
};

TEST_F(DeviceMemoryProbe, passes_where_messages_arrive) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(refusal(), "");
}

TEST_F(DeviceMemoryProbe, sees_a_wrong_byte_in_a_small_and_in_a_large_message) {
  const std::string rest =
      "\n  consequence: this MPI library does not take device memory"
      "\n  remedy: use transport pinned";
  wrong_from_size = 64;
  EXPECT_EQ(refusal(),
            "3: a probe message of 64 bytes in memory 'pinned' arrived wrong, from byte 63 on" + rest);
  wrong_from_size = 65;
  EXPECT_EQ(
      refusal(),
      "3: a probe message of 1048576 bytes in memory 'pinned' arrived wrong, from byte 1048575 on" + rest);
  wrong_from_size = -1;
  EXPECT_EQ(refusal(), "");
}

TEST_F(DeviceMemoryProbe, a_single_rank_that_receives_wrong_bytes_stops_all) {
  if (world.size() == 1) GTEST_SKIP() << "needs a peer";
  wrong_from_size = world.rank() == 0 ? 64 : -1;
  EXPECT_EQ(refusal().find("3: rank 1: a probe message of 64 bytes"), 0U);
}

TEST_F(DeviceMemoryProbe, is_made_by_the_gpu_aware_transport) {
  if (!backend::kernels_on_host) GTEST_SKIP() << "would have to spoil device memory";
  const auto make = [&] { make_path("gpu_aware", {world, {}, memory::make_memory_resource("device")}); };
  EXPECT_NO_THROW(make());
  wrong_from_size = 64;
  EXPECT_THROW(make(), Error);
}

TEST(GpuAwareness, says_what_is_known_and_how) {
  const auto text = [](const GpuAwareness& known) { return known.gpu_aware + ": " + known.from; };
  EXPECT_EQ(text(gpu_awareness(true, false, true)), "yes: MPIX_Query_cuda_support says yes");
  EXPECT_EQ(text(gpu_awareness(false, false, true)), "no: MPIX_Query_cuda_support says no");
  EXPECT_EQ(text(gpu_awareness({}, false, true)), "unknown: this MPI library has no MPIX_Query_cuda_support");
  EXPECT_EQ(text(gpu_awareness(false, true, true)),
            "yes: MPIX_Query_cuda_support says no; messages in device memory arrived right");
  EXPECT_EQ(text(gpu_awareness(true, false, false)), "not applicable: kernels run on the host");
}

TEST(GpuAwareness, is_required_unless_forced) {
  EXPECT_NO_THROW(require_gpu_aware(true, false));
  EXPECT_NO_THROW(require_gpu_aware(false, true));
  EXPECT_NO_THROW(require_gpu_aware({}, true));
  EXPECT_THROW(require_gpu_aware({}, false), CapabilityError);
  try {
    require_gpu_aware(false, false);
    ADD_FAILURE() << "MPI said no";
  } catch (const CapabilityError& error) {
    EXPECT_STREQ(error.what(),
                 "transport gpu_aware hands device memory to MPI, but MPIX_Query_cuda_support says no\n"
                 "  consequence: MPI would crash or send wrong bytes\n"
                 "  remedy: use transport pinned, or force gpu_aware if the library is known to "
                 "take device memory: a probe message then proves it");
  }
}

}  // namespace
}  // namespace haloheap::comm
