// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Streams of a device with queues that work waits in: whatever order the events allow, all that is copied
// arrives.
#include <haloheap/backend/launch.hpp>
#include <haloheap/core/transfer/device_streams.hpp>
#include <haloheap/core/transfer/pipeline.hpp>
#include <haloheap/unit/core/backend/emulated_queues.hpp>

#include <gtest/gtest.h>

namespace haloheap::transfer {
namespace {

using testing::EmulatedQueues;

/// result = in + both; both = in.
struct Work {
  DeviceRows<int> in, both, result;
  KOKKOS_FUNCTION void operator()(std::size_t row) const {
    *result(row) = *in(row) + *both(row);
    *both(row) = *in(row);
  }
};

/// Rows of the host that have a wrong value after some runs.
int wrong_rows(const std::string& mode, Schedule schedule, int streams, Trace trace, std::size_t rows) {
  Pipeline pipeline(make_device_streams(streams, trace), make_mode(mode), schedule, rows);
  const auto in = pipeline.operand<int>("in", Intent::in),
             both = pipeline.operand<int>("both", Intent::in_out),
             result = pipeline.operand<int>("result", Intent::out);
  pipeline.set_kernel([&](const backend::Exec& exec, const Chunk& chunk) {
    backend::parallel_for("haloheap::test::work",
                          Kokkos::RangePolicy<backend::Exec>(exec, chunk.begin, chunk.end),
                          Work{in.device(), both.device(), result.device()});
  });
  int wrong = 0;
  for (int run = 1; run <= 3; ++run) {
    const auto value = [&](std::size_t row, int salt) { return static_cast<int>(row) * run + salt; };
    for (std::size_t row = 0; row < rows; ++row) {
      *in.host(row) = value(row, 1);
      *both.host(row) = value(row, 2);
      *result.host(row) = 0;
    }
    const double before = pipeline.streams().now();
    pipeline.run();
    const double seconds = pipeline.streams().now() - before;
    for (std::size_t row = 0; row < rows; ++row)
      wrong += *both.host(row) != value(row, 1) || *result.host(row) != value(row, 1) + value(row, 2);
    for (const TraceEvent& span : pipeline.trace())
      wrong += span.begin < 0 || span.end < span.begin || span.end > seconds;
  }
  return wrong;
}

class TransferQueues : public ::testing::TestWithParam<ModeEntry> {
 protected:
  void SetUp() override {
    if (!EmulatedQueues::possible()) GTEST_SKIP() << "instances of this backend cannot be told apart";
    if (!GetParam().unavailable_reason().empty()) GTEST_SKIP() << GetParam().unavailable_reason();
  }
};

TEST_P(TransferQueues, any_order_that_the_events_allow_brings_all_that_travels) {
  for (std::uint64_t seed = 0; seed < 36; ++seed) {
    const EmulatedQueues queues(seed);
    const auto schedule = static_cast<Schedule>(seed % 3);
    const auto trace = static_cast<Trace>(seed / 3 % 3);
    EXPECT_EQ(wrong_rows(GetParam().name, schedule, 1 + static_cast<int>(seed % 4), trace, 97), 0)
        << "seed " << seed;
  }
}

void enqueue_copy(Streams& streams, int stream, int& to, const int& from) {
  streams.enqueue(stream, {.engine = Engine::h2d, .enqueue = [&to, &from](const backend::Exec& exec) {
                             backend::copy_async(exec, &to, &from, sizeof(int));
                           }});
}

// Its streams start after what the first had, and the first goes on after them.
TEST(StreamQueues, a_graph_is_a_piece_of_work_of_the_first_stream) {
  if (!EmulatedQueues::possible()) GTEST_SKIP() << "instances of this backend cannot be told apart";
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const EmulatedQueues queues(seed);
    const auto streams = make_device_streams(3);
    std::vector<int> values{1, 0, 0, 0};
    const auto copy = [&](int stream, std::size_t to, std::size_t from) {
      enqueue_copy(*streams, stream, values[to], values[from]);
    };
    copy(0, 1, 0);
    streams->replay([&] { copy(2, 2, 1); });
    copy(0, 3, 2);
    streams->mark(0, 0);
    streams->await(0);
    EXPECT_EQ(values, std::vector<int>(4, 1)) << "seed " << seed;
  }
}

// More bytes than the buffers have.
TEST(StreamQueues, many_bytes_arrive_through_buffers) {
  if (!EmulatedQueues::possible()) GTEST_SKIP() << "instances of this backend cannot be told apart";
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const EmulatedQueues queues(seed);
    EXPECT_EQ(wrong_rows("staged", static_cast<Schedule>(seed % 3), 2, Trace::off, 1'700'001), 0)
        << "seed " << seed;
  }
}

// What one stream has is done before the other goes on; a mark is reached when what was before it is done.
TEST(StreamQueues, orders_and_marks_hold) {
  if (!EmulatedQueues::possible()) GTEST_SKIP() << "instances of this backend cannot be told apart";
  int early = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    EmulatedQueues queues(seed);
    const auto streams = make_device_streams(2);
    std::vector<int> values{1, 2, 3, 4};
    const auto copy = [&](int stream, std::size_t to, std::size_t from) {
      enqueue_copy(*streams, stream, values[to], values[from]);
    };
    copy(0, 1, 0);
    streams->order(0, 1);
    copy(1, 2, 1);
    streams->mark(1, 7);
    copy(0, 3, 0);
    streams->await(7);
    EXPECT_EQ(values[1], 1);
    EXPECT_EQ(values[2], 1);
    early += values[3] == 4;
    streams->finish();
    EXPECT_EQ(values[3], 1);
    EXPECT_EQ(queues.waiting(), 0U);
  }
  EXPECT_GT(early, 0) << "to wait for a mark is not to wait for all";
}

INSTANTIATE_TEST_SUITE_P(Modes, TransferQueues, ::testing::ValuesIn(modes()),
                         [](const auto& parameter) { return parameter.param.name; });

}  // namespace
}  // namespace haloheap::transfer
