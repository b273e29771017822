// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Streams of a device: what is held waits, what is ordered comes after, and what a trace tells.
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/backend/launch_blocking.hpp>
#include <haloheap/core/memory/buffer.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/transfer/device_streams.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace haloheap::transfer {
namespace {

constexpr std::size_t bytes = std::size_t{32} << 20;

class DeviceStreams : public ::testing::Test {
 protected:
  DeviceStreams()
      : device_(memory::make_memory_resource("device"), bytes, "device"),
        h2d_(memory::make_memory_resource("pinned"), bytes, "h2d"),
        d2h_(memory::make_memory_resource("pinned"), bytes, "d2h") {
    std::fill_n(h2d_.data(), bytes, std::byte{1});
    std::fill_n(d2h_.data(), bytes, std::byte{0});
  }

  Operation copy(Engine engine, const memory::Buffer& to, const memory::Buffer& from) {
    return {.engine = engine,
            .enqueue = [a = to.data(), b = from.data()](
                           const backend::Exec& exec) { backend::copy_async(exec, a, b, bytes); },
            .bytes = bytes};
  }
  void enqueue_h2d(Streams& streams, int stream) {
    streams.enqueue(stream, copy(Engine::h2d, device_, h2d_));
  }
  void enqueue_d2h(Streams& streams, int stream) {
    streams.enqueue(stream, copy(Engine::d2h, d2h_, device_));
  }
  bool arrived() const {
    return std::all_of(d2h_.data(), d2h_.data() + bytes, [](std::byte b) { return b == std::byte{1}; });
  }

  memory::Buffer device_, h2d_, d2h_;
};

TEST_F(DeviceStreams, WorkOfAStreamIsDoneInOrder) {
  const auto streams = make_device_streams(1);
  EXPECT_EQ(streams->count(), 1);
  EXPECT_FALSE(streams->emulated());
  enqueue_h2d(*streams, 0);
  enqueue_d2h(*streams, 0);
  streams->finish();
  EXPECT_TRUE(arrived());
  EXPECT_TRUE(streams->trace().empty());
}

TEST_F(DeviceStreams, AnOrderedStreamComesAfter) {
  const auto streams = make_device_streams(3);
  enqueue_h2d(*streams, 2);
  streams->order(2, 1);
  enqueue_d2h(*streams, 1);
  streams->finish();
  EXPECT_TRUE(arrived());
}

TEST_F(DeviceStreams, AMarkIsReachedWhenItsWorkIsDone) {
  const auto streams = make_device_streams(2);
  streams->await(5);  // never marked
  enqueue_h2d(*streams, 1);
  enqueue_d2h(*streams, 1);
  streams->mark(1, 5);
  streams->await(5);
  EXPECT_TRUE(arrived());
}

TEST_F(DeviceStreams, WhatIsHeldStartsWhenItIsReleased) {
  const auto streams = make_device_streams(2, Trace::streams);
  for (int round = 0; round < 3; ++round) {
    std::fill_n(d2h_.data(), bytes, std::byte{0});
    streams->start();
    streams->hold();
    enqueue_h2d(*streams, 0);
    enqueue_d2h(*streams, 0);
    const bool held = !backend::kernels_on_host && streams->not_held_reason().empty();
    if (held) {
      const double begin = streams->now();
      while (streams->now() < begin + 0.2) EXPECT_EQ(d2h_.data()[0], std::byte{0});
    }
    const double released = streams->now();
    streams->release();
    streams->finish();
    const double finished = streams->now();
    EXPECT_TRUE(arrived());
    ASSERT_EQ(streams->trace().size(), 1U);
    const TraceEvent span = streams->trace()[0];
    if (held) {
      EXPECT_LE(span.end - span.begin, 1.01 * (finished - released))
          << "being held is none of the copies' time";
    }
  }
}

// A launch that waits for its kernel never comes back from one that waits for the host: nothing is held then.
TEST(LaunchBlocking, IsFoundInTheEnvironment) {
  for (const char* const off : {static_cast<const char*>(nullptr), "0", "", "no"})
    EXPECT_EQ(backend::launches_block_reason(off), "");
  EXPECT_EQ(backend::launches_block_reason("1"),
            "CUDA_LAUNCH_BLOCKING=1 is set, and with it each launch waits until its kernel is done");
  EXPECT_EQ(make_device_streams(1)->not_held_reason(), backend::launches_block_reason());
  if (backend::kernels_on_host) {
    EXPECT_EQ(backend::launches_block_reason(), "");
  }
}

TEST_F(DeviceStreams, ATraceTellsOfEachOperation) {
  const auto streams = make_device_streams(2, Trace::operations);
  for (int round = 0; round < 2; ++round) {
    streams->start();
    enqueue_h2d(*streams, 1);
    enqueue_d2h(*streams, 1);
    streams->finish();
    const std::vector<TraceEvent> spans = streams->trace();
    ASSERT_EQ(spans.size(), 2U);
    EXPECT_EQ(spans[0].engine, Engine::h2d);
    EXPECT_EQ(spans[1].engine, Engine::d2h);
    EXPECT_EQ(spans[1].stream, 1);
    EXPECT_GE(spans[0].begin, 0);
    EXPECT_GT(spans[0].end, spans[0].begin);
    EXPECT_GE(spans[1].begin, spans[0].end);
    EXPECT_GT(spans[1].end, spans[1].begin);
  }
}

TEST_F(DeviceStreams, ATraceOfStreamsGoesFromTheFirstToTheLast) {
  const auto streams = make_device_streams(3, Trace::streams);
  streams->start();
  enqueue_h2d(*streams, 2);
  enqueue_d2h(*streams, 2);
  enqueue_h2d(*streams, 0);
  streams->finish();
  const std::vector<TraceEvent> spans = streams->trace();
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(spans[0].stream, 2);
  EXPECT_EQ(spans[1].stream, 0);
  for (const TraceEvent& span : spans) EXPECT_GT(span.end, span.begin);
}

TEST_F(DeviceStreams, AGraphIsReplayed) {
  const auto streams = make_device_streams(2);
  int recorded = 0;
  for (int round = 0; round < 3; ++round) {
    std::fill_n(d2h_.data(), bytes, std::byte{0});
    streams->replay([&] {
      ++recorded;
      enqueue_h2d(*streams, 1);
      enqueue_d2h(*streams, 1);
    });
    streams->finish();
    EXPECT_TRUE(arrived());
  }
  EXPECT_EQ(recorded, backend::kernels_on_host ? 3 : 1);
}

}  // namespace
}  // namespace haloheap::transfer
