// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The emulated link keeps time as Figure 2 of [Bhimani2016] has it, and shows who does not wait.
#include <haloheap/core/backend/memory_file.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/transfer/emulated_streams.hpp>
#include <haloheap/core/transfer/pipeline.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

namespace haloheap::transfer {
namespace {

/// A row of one byte takes a second on each engine, and nothing else takes time.
LinkModel second_a_row() {
  LinkModel link;
  link.h2d = link.d2h = link.kernel = {0, 1};
  link.pageable_h2d = link.pageable_d2h = link.host_copy = 1;
  link.submit = 0;
  return link;
}

struct Ran {
  double seconds;
  std::vector<std::string> spans;  ///< "h2d 0: 0 to 1", by engine and begin
};

/// What an engine did, as the figure draws it.
std::string drawing(const Ran& ran, const std::string& engine) {
  std::string text;
  for (const std::string& span : ran.spans)
    if (span.starts_with(engine)) text += span.substr(engine.size());
  return text;
}

Ran run(const std::string& mode, Schedule schedule, int streams, std::size_t rows, const LinkModel& link) {
  Pipeline pipeline(make_emulated_streams(streams, link), make_mode(mode), schedule, rows);
  const auto a = pipeline.operand<char>("a", Intent::in_out);
  pipeline.set_kernel([&](const backend::Exec& exec, const Chunk& chunk) {
    const auto rows_of = a.device();
    Kokkos::parallel_for(
        "haloheap::test::add", Kokkos::RangePolicy<backend::Exec>(exec, chunk.begin, chunk.end),
        KOKKOS_LAMBDA(std::size_t row) { *rows_of(row) = static_cast<char>(*rows_of(row) + 1); });
  });
  for (std::size_t row = 0; row < rows; ++row) *a.host(row) = 0;
  Ran ran{pipeline.run(), {}};
  for (std::size_t row = 0; row < rows; ++row) EXPECT_EQ(*a.host(row), 1);
  for (const TraceEvent& span : pipeline.trace()) {
    const char* const engine[] = {"h2d", "kernel", "d2h"};
    ran.spans.push_back(std::string(engine[static_cast<int>(span.engine)]) + " " +
                        std::to_string(span.chunk + 1) + "[" + std::to_string(std::lround(span.begin)) + "," +
                        std::to_string(std::lround(span.end)) + "]");
  }
  return ran;
}

TEST(EmulatedStreams, WithoutStreamsOneThingIsDoneAfterTheOther) {
  const Ran ran = run("pinned", Schedule::none, 4, 2, second_a_row());
  EXPECT_EQ(drawing(ran, "h2d"), " 1[0,2]");
  EXPECT_EQ(drawing(ran, "kernel"), " 1[2,4]");
  EXPECT_EQ(drawing(ran, "d2h"), " 1[4,6]");
  EXPECT_EQ(ran.seconds, 6);
}

// Figure 2: two streams, three queues. Either order of issue keeps all of them busy.
TEST(EmulatedStreams, Figure2TypeI) {
  const Ran ran = run("pinned", Schedule::depth_first, 2, 2, second_a_row());
  EXPECT_EQ(drawing(ran, "h2d"), " 1[0,1] 2[1,2]");
  EXPECT_EQ(drawing(ran, "kernel"), " 1[1,2] 2[2,3]");
  EXPECT_EQ(drawing(ran, "d2h"), " 1[2,3] 2[3,4]");
  EXPECT_EQ(ran.seconds, 4);
  EXPECT_EQ(ran.spans.front(), "h2d 1[0,1]");
  EXPECT_EQ(ran.spans[1], "kernel 1[1,2]");  // the order of issue: HD1 K1 DH1 HD2 K2 DH2
  EXPECT_EQ(ran.spans[3], "h2d 2[1,2]");
}

TEST(EmulatedStreams, Figure2TypeII) {
  const Ran ran = run("pinned", Schedule::breadth_first, 2, 2, second_a_row());
  EXPECT_EQ(drawing(ran, "h2d"), " 1[0,1] 2[1,2]");
  EXPECT_EQ(drawing(ran, "kernel"), " 1[1,2] 2[2,3]");
  EXPECT_EQ(drawing(ran, "d2h"), " 1[2,3] 2[3,4]");
  EXPECT_EQ(ran.seconds, 4);
  EXPECT_EQ(ran.spans[1], "h2d 2[1,2]");  // HD1 HD2 K1 K2 DH1 DH2
  EXPECT_EQ(ran.spans[2], "kernel 1[1,2]");
}

// Why [Bhimani2016] finds that type I hurts pageable memory: the host waits for each copy before it issues
// more.
TEST(EmulatedStreams, PageableMemorySerialisesTypeI) {
  EXPECT_EQ(run("pageable", Schedule::none, 2, 2, second_a_row()).seconds, 6);
  const Ran first = run("pageable", Schedule::depth_first, 2, 2, second_a_row());
  EXPECT_EQ(drawing(first, "h2d"), " 1[0,1] 2[3,4]");
  EXPECT_EQ(first.seconds, 6);
  const Ran second = run("pageable", Schedule::breadth_first, 2, 2, second_a_row());
  EXPECT_EQ(drawing(second, "h2d"), " 1[0,1] 2[1,2]");
  EXPECT_EQ(drawing(second, "kernel"), " 1[2,3] 2[3,4]");
  EXPECT_EQ(drawing(second, "d2h"), " 1[3,4] 2[4,5]");
  EXPECT_EQ(second.seconds, 5);
}

TEST(EmulatedStreams, AnEngineTakesItsLatencyAndItsRate) {
  LinkModel link = second_a_row();
  link.h2d = {10, 2};
  link.d2h = {20, 4};
  link.kernel = {1, 8};
  EXPECT_EQ(run("pinned", Schedule::none, 1, 8, link).seconds, (10 + 4) + (1 + 1) + (20 + 2));
  link.submit = 100;  // the host issues: up at 100, kernel at 200, down at 300
  EXPECT_EQ(run("pinned", Schedule::none, 1, 8, link).seconds, 300 + 22);
  EXPECT_EQ(run("graph", Schedule::none, 1, 8, link).seconds, 100 + 14 + 2 + 22);
}

TEST(EmulatedStreams, CopiesFromAndToPageableMemoryHaveRatesOfTheirOwn) {
  LinkModel link = second_a_row();
  link.pageable_h2d = 3;
  link.pageable_d2h = 4;
  const auto streams = make_emulated_streams(1, link);
  const auto nothing = [](const backend::Exec&) {};
  streams->enqueue(0, {.engine = Engine::h2d, .enqueue = nothing, .bytes = 12, .blocks = true});
  EXPECT_EQ(streams->now(), 4);
  streams->enqueue(0, {.engine = Engine::d2h, .enqueue = nothing, .bytes = 12, .blocks = true});
  EXPECT_EQ(streams->now(), 4 + 3);
}

TEST(EmulatedStreams, TheHostTakesItsTimeToCopyWhateverStreamsDo) {
  LinkModel link = second_a_row();
  link.host_copy = 2;
  const auto streams = make_emulated_streams(1, link);
  streams->on_host(10, [] {});
  EXPECT_EQ(streams->now(), 5);
  streams->finish();  // of streams that were never busy
  EXPECT_EQ(streams->now(), 5);
}

TEST(EmulatedStreams, WhatIsHeldTakesTheHostNoTime) {
  LinkModel link = second_a_row();
  link.submit = 100;
  const auto streams = make_emulated_streams(1, link);
  const Operation operation{.engine = Engine::h2d, .enqueue = [](const backend::Exec&) {}, .bytes = 1};
  streams->hold();
  streams->enqueue(0, operation);
  EXPECT_EQ(streams->now(), 0);
  streams->release();
  streams->enqueue(0, operation);
  EXPECT_EQ(streams->now(), 100);
  streams->finish();
  EXPECT_EQ(streams->now(), 101);
}

TEST(EmulatedStreams, KernelsThatReachTheHostTakeTheLinkIntoTheirTime) {
  EXPECT_EQ(run("mapped", Schedule::none, 1, 3, second_a_row()).seconds, 9);
  EXPECT_EQ(run("mapped", Schedule::depth_first, 3, 3, second_a_row()).seconds, 9);  // one engine does it all
  EXPECT_EQ(run("managed_prefetch", Schedule::depth_first, 3, 3, second_a_row()).seconds, 5);
  EXPECT_EQ(run("managed", Schedule::none, 1, 3, second_a_row()).seconds, 9);
}

/// Modes that can be had here.
std::vector<ModeEntry> modes_here() {
  std::vector<ModeEntry> result;
  for (const ModeEntry& info : modes())
    if (info.unavailable_reason().empty()) result.push_back(info);
  return result;
}

// One byte that is read, two that are written, and four that are both: a byte takes a second.
TEST(EmulatedStreams, WhatKernelsOnlyReadOrOnlyWriteTakesTheLinkOneWay) {
  for (const ModeEntry& info : modes_here()) {
    Pipeline pipeline(make_emulated_streams(1, second_a_row()), make_mode(info.name), Schedule::none, 1);
    (void)pipeline.operand<char>("in", Intent::in, 1);
    (void)pipeline.operand<char>("out", Intent::out, 2);
    (void)pipeline.operand<char>("both", Intent::in_out, 4);
    pipeline.set_kernel([](const backend::Exec&, const Chunk&) {});
    pipeline.run();
    double up = 0, down = 0;
    for (const TraceEvent& span : pipeline.trace()) {
      if (span.engine == Engine::h2d) up += span.end - span.begin;
      if (span.engine == Engine::d2h) down += span.end - span.begin;
    }
    switch (info.movement) {
      case Movement::copies:
        EXPECT_EQ(up, 1 + 4) << info.name;
        EXPECT_EQ(down, 2 + 4) << info.name;
        break;
      case Movement::pages_sent:
        EXPECT_EQ(up, 1 + 2 + 4) << info.name << ": pages that are only written have to be there, too";
        EXPECT_EQ(down, 2 + 4) << info.name;
        break;
      case Movement::on_touch:
        EXPECT_EQ(up, 0) << info.name;
        EXPECT_EQ(down, 2 + 4) << info.name;
        break;
      case Movement::in_place:
        EXPECT_EQ(up + down, 0) << info.name;
    }
  }
}

TEST(EmulatedStreams, EachRunGivesBackTheMemoryThatItTakes) {
  using backend::memory_file::in_use;
  for (const ModeEntry& info : modes_here()) {
    const std::size_t before = in_use();
    {
      Pipeline pipeline(make_emulated_streams(3, {}), make_mode(info.name), Schedule::depth_first, 1000);
      (void)pipeline.operand<double>("in", Intent::in);
      (void)pipeline.operand<double>("out", Intent::out);
      pipeline.set_kernel([](const backend::Exec&, const Chunk&) {});
      const std::size_t placed = in_use();
      for (int run = 0; run < 3; ++run) {
        pipeline.run();
        EXPECT_EQ(in_use(), placed) << info.name << ", run " << run;
      }
    }
    EXPECT_EQ(in_use(), before) << info.name;
  }
}

TEST(EmulatedStreams, MoreStreamsApproachTheBound) {
  // max + (sum - max) / streams, as the three engines are equal.
  for (const int streams : {1, 2, 3, 4, 6, 12})
    EXPECT_DOUBLE_EQ(run("pinned", Schedule::depth_first, streams, 12, second_a_row()).seconds,
                     12 + 24.0 / streams);
}

// --- Who does not wait

class TransferOrder : public ::testing::Test {
 protected:
  static Operation step(Engine engine, std::function<void()> work) {
    return {.engine = engine,
            .enqueue = [work = std::move(work)](const backend::Exec&) { work(); },
            .bytes = 1,
            .operations = 1};
  }
};

TEST_F(TransferOrder, NothingIsDoneBeforeItsEnd) {
  const auto streams = make_emulated_streams(1, second_a_row());
  bool done = false;
  streams->enqueue(0, step(Engine::h2d, [&] { done = true; }));
  EXPECT_FALSE(done);
  streams->finish();
  EXPECT_TRUE(done);
}

TEST_F(TransferOrder, AStreamThatDoesNotWaitForAnotherIsEarly) {
  for (const bool waits : {false, true}) {
    const auto streams = make_emulated_streams(2, second_a_row());
    int device = 0, host = -1;
    streams->enqueue(0, step(Engine::h2d, [&] { device = 1; }));
    streams->enqueue(0, step(Engine::kernel, [&] { device = 2; }));
    if (waits) streams->order(0, 1);
    streams->enqueue(1, step(Engine::d2h, [&] { host = device; }));
    streams->finish();
    EXPECT_EQ(host, waits ? 2 : 1);
  }
}

TEST_F(TransferOrder, ABufferThatIsFilledTooEarlyLosesWhatWasInIt) {
  for (const bool waits : {false, true}) {
    const auto streams = make_emulated_streams(1, second_a_row());
    int buffer = 0;
    std::vector<int> device;
    for (int i = 1; i <= 2; ++i) {
      if (waits) streams->await(0);
      streams->on_host(0, [&] { buffer = i; });
      streams->enqueue(0, step(Engine::h2d, [&] { device.push_back(buffer); }));
      streams->mark(0, 0);
    }
    streams->finish();
    EXPECT_EQ(device, waits ? (std::vector<int>{1, 2}) : (std::vector<int>{2, 2}));
  }
}

TEST_F(TransferOrder, TheHostDoesNotMeetWhatHasEndedSinceItSubmittedIt) {
  LinkModel link = second_a_row();
  link.submit = 1;
  const auto streams = make_emulated_streams(2, link);
  int buffer = 1, device = 0;
  streams->enqueue(0, step(Engine::h2d, [&] { device = buffer; }));  // from 1 to 2
  streams->enqueue(1, step(Engine::kernel, [] {}));                  // submitted at 2
  streams->on_host(0, [&] { buffer = 2; });
  streams->finish();
  EXPECT_EQ(device, 1);
}

TEST_F(TransferOrder, TheTraceStartsAnewWithEachRun) {
  const auto streams = make_emulated_streams(1, second_a_row());
  for (int run = 0; run < 2; ++run) {
    streams->start();
    streams->enqueue(0, step(Engine::d2h, [] {}));
    streams->finish();
    ASSERT_EQ(streams->trace().size(), 1U);
    EXPECT_EQ(streams->trace()[0].begin, 0);
    EXPECT_EQ(streams->trace()[0].end, 1);
  }
  EXPECT_EQ(streams->now(), 2);
}

// --- A device that fails

/// What is enqueued is done at once, but a wait finds that the device has failed.
class BrokenStreams final : public Streams {
 public:
  int count() const override { return 1; }
  const backend::Exec& exec(int) const override { return exec_; }
  bool emulated() const override { return true; }
  void start() override {}
  void enqueue(int, const Operation& operation) override { operation.enqueue(exec_); }
  void on_host(std::size_t, const std::function<void()>& work) override { work(); }
  void mark(int, int) override {}
  void await(int) override {}
  void order(int, int) override {}
  void after(int, const std::function<void(const backend::Exec&)>& work) override { work(exec_); }
  void replay(const std::function<void()>& issue) override { issue(); }
  void hold() override {}
  void release() override {}
  void finish() override {
    throw DeviceError("the device failed", "its results are lost", "look for the cause");
  }
  double now() const override { return 0; }
  std::vector<TraceEvent> trace() const override { return {}; }

 private:
  backend::Exec exec_;
};

TEST(BrokenDevice, APipelineSaysInItsEndWhatItsRunThrew) {
  ::testing::internal::CaptureStderr();
  {
    Pipeline pipeline(std::make_unique<BrokenStreams>(), make_mode("pinned"), Schedule::none, 4);
    (void)pipeline.operand<char>("a", Intent::in_out);
    pipeline.set_kernel([](const backend::Exec&, const Chunk&) {});
    EXPECT_THROW(pipeline.run(), DeviceError);
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "haloheap: error in transfer::Pipeline::~Pipeline: the device failed; consequence: its results "
            "are lost; "
            "remedy: look for the cause\n");
}

}  // namespace
}  // namespace haloheap::transfer
