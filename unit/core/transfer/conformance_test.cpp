// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What every transfer mode promises, in every schedule. A new mode is tested by standing in the list.
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/transfer/device_streams.hpp>
#include <haloheap/core/transfer/emulated_streams.hpp>
#include <haloheap/core/transfer/pipeline.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstring>
#include <set>

namespace haloheap::transfer {

/// Twelve bytes, so that neither alignment nor size is a power of two.
struct Triple {
  float x, y, z;
};

template <class T>
struct Values {
  KOKKOS_FUNCTION static T of(std::size_t i) { return static_cast<T>(i % 97 + 1); }
  KOKKOS_FUNCTION static T sum(T a, T b) { return a + b; }
};
template <>
struct Values<Triple> {
  KOKKOS_FUNCTION static Triple of(std::size_t i) {
    const auto x = static_cast<float>(i % 97 + 1);
    return {x, 2 * x, 3 * x};
  }
  KOKKOS_FUNCTION static Triple sum(Triple a, Triple b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
};

/// sum = in + both; both = in.
template <class T>
struct Work {
  DeviceRows<T> in, both, sum;
  std::size_t width;

  KOKKOS_FUNCTION void operator()(std::size_t row) const {
    for (std::size_t i = 0; i < width; ++i) {
      sum(row)[i] = Values<T>::sum(in(row)[i], both(row)[i]);
      both(row)[i] = in(row)[i];
    }
  }
};

/// seen = out, as the device has it before; then in and out are overwritten on the device.
struct Look {
  DeviceRows<int> in, out, seen;
  int written;

  KOKKOS_FUNCTION void operator()(std::size_t row) const {
    *seen(row) = *out(row);
    *out(row) = written;
    *in(row) = written;
  }
};

namespace {

constexpr Schedule schedules[] = {Schedule::none, Schedule::depth_first, Schedule::breadth_first};

struct Shape {
  std::size_t rows, width = 1, pitch = 0;
};

std::unique_ptr<Streams> streams_of(bool emulated, int count) {
  return emulated ? make_emulated_streams(count, {}) : make_device_streams(count);
}

bool mode_can_be_had(const std::string& name) {
  for (const ModeEntry& info : modes())
    if (info.name == name) return info.unavailable_reason().empty();
  return false;
}

template <class T>
bool equal(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

class TransferConformance : public ::testing::TestWithParam<std::tuple<ModeEntry, bool>> {
 protected:
  void SetUp() override {
    const auto& [info, emulated] = GetParam();
    if (!info.unavailable_reason().empty()) GTEST_SKIP() << info.name << ": " << info.unavailable_reason();
    if (emulated && !backend::kernels_on_host) GTEST_SKIP() << "kernels run on a device";
  }
  static std::unique_ptr<Mode> mode() { return make_mode(std::get<0>(GetParam()).name); }
  static bool emulated() { return std::get<1>(GetParam()); }

  /// Three operands, one of each kind, through some runs; each with values of its own.
  template <class T>
  static void transfer(Schedule schedule, int streams, const Shape& shape) {
    SCOPED_TRACE(::testing::Message()
                 << "schedule " << static_cast<int>(schedule) << " streams " << streams << " rows "
                 << shape.rows << " width " << shape.width << " pitch " << shape.pitch);
    Pipeline pipeline(streams_of(emulated(), streams), mode(), schedule, shape.rows);
    const auto in = pipeline.operand<T>("in", Intent::in, shape.width, shape.pitch);
    const auto both = pipeline.operand<T>("both", Intent::in_out, shape.width, shape.pitch);
    const auto sum = pipeline.operand<T>("sum", Intent::out, shape.width, shape.pitch);
    pipeline.set_kernel([&](const backend::Exec& exec, const Chunk& chunk) {
      Kokkos::parallel_for("haloheap::test::transfer",
                           Kokkos::RangePolicy<backend::Exec>(exec, chunk.begin, chunk.end),
                           Work<T>{in.device(), both.device(), sum.device(), shape.width});
    });
    const std::size_t apart = shape.pitch == 0 ? shape.width : shape.pitch;
    for (std::size_t run = 0; run < 3; ++run) {
      for_elements(shape, apart, [&](std::size_t row, std::size_t i, std::size_t number) {
        in.host(row)[i] = Values<T>::of(number + run);
        both.host(row)[i] = Values<T>::of(7 * number + run);
        sum.host(row)[i] = Values<T>::of(0);
      });
      EXPECT_GT(pipeline.run(), 0);
      for_elements(shape, apart, [&](std::size_t row, std::size_t i, std::size_t number) {
        const T first = Values<T>::of(number + run), second = Values<T>::of(7 * number + run);
        const bool gap = i >= shape.width;  // between the rows: not ours
        ASSERT_TRUE(equal(in.host(row)[i], first)) << "row " << row << " element " << i;
        ASSERT_TRUE(equal(both.host(row)[i], gap ? second : first)) << "row " << row << " element " << i;
        ASSERT_TRUE(equal(sum.host(row)[i], gap ? Values<T>::of(0) : Values<T>::sum(first, second)))
            << "row " << row << " element " << i;
      });
    }
  }

  /// Elements of the host, those between the rows included.
  template <class F>
  static void for_elements(const Shape& shape, std::size_t apart, const F& f) {
    for (std::size_t row = 0; row < shape.rows; ++row)
      for (std::size_t i = 0; i < (row + 1 == shape.rows ? shape.width : apart); ++i)
        f(row, i, row * apart + i);
  }
};

TEST_P(TransferConformance, AllThatTravelsArrivesInAllSchedules) {
  for (const Schedule schedule : schedules)
    for (const int streams : {1, 2, 5})
      for (const std::size_t rows : {1, 4, 1009}) transfer<float>(schedule, streams, {rows});
}

TEST_P(TransferConformance, AnyTrivialTypeTravels) {
  transfer<double>(Schedule::depth_first, 3, {100});
  transfer<Triple>(Schedule::breadth_first, 3, {1009});
  transfer<unsigned char>(Schedule::depth_first, 2, {1013});
}

TEST_P(TransferConformance, RowsOfASubBlockTravelWithoutWhatIsBetweenThem) {
  for (const Schedule schedule : schedules) {
    transfer<float>(schedule, 3, {17, 5, 8});
    transfer<float>(schedule, 3, {1, 5, 8});
    transfer<Triple>(schedule, 2, {64, 33, 100});
  }
}

TEST_P(TransferConformance, MoreThanABufferTravels) {
  transfer<double>(Schedule::depth_first, 2, {700'001});
  transfer<double>(Schedule::breadth_first, 3, {7, 70'000, 70'003});
}

TEST_P(TransferConformance, ManyStreamsAndFewRows) {
  transfer<float>(Schedule::depth_first, 64, {1000});
  transfer<float>(Schedule::breadth_first, 64, {3});
}

// Kernels that only read or only write an operand do the other thing here, so that a copy too many shows.
TEST_P(TransferConformance, WhatKernelsOnlyReadOrOnlyWriteTravelsOneWay) {
  if (std::get<0>(GetParam()).movement != Movement::copies) GTEST_SKIP() << "both sides have one memory";
  constexpr std::size_t rows = 1000;
  constexpr int of_host = 1'234'567, of_kernel = 7'654'321;
  Pipeline pipeline(streams_of(emulated(), 3), mode(), Schedule::depth_first, rows);
  const auto in = pipeline.operand<int>("in", Intent::in), out = pipeline.operand<int>("out", Intent::out),
             seen = pipeline.operand<int>("seen", Intent::out);
  pipeline.set_kernel([&](const backend::Exec& exec, const Chunk& chunk) {
    Kokkos::parallel_for("haloheap::test::look",
                         Kokkos::RangePolicy<backend::Exec>(exec, chunk.begin, chunk.end),
                         Look{in.device(), out.device(), seen.device(), of_kernel});
  });
  for (int run = 0; run < 2; ++run) {
    for (std::size_t row = 0; row < rows; ++row) *in.host(row) = *out.host(row) = *seen.host(row) = of_host;
    pipeline.run();
    for (std::size_t row = 0; row < rows; ++row) {
      ASSERT_EQ(*in.host(row), of_host) << "sent back: row " << row;
      ASSERT_NE(*seen.host(row), of_host) << "sent up: row " << row;
      ASSERT_EQ(*out.host(row), of_kernel) << "row " << row;
    }
  }
}

TEST_P(TransferConformance, NoRowsAreNoWork) {
  Pipeline pipeline(streams_of(emulated(), 2), mode(), Schedule::depth_first, 0);
  const auto a = pipeline.operand<float>("a", Intent::in_out);
  bool called = false;
  pipeline.set_kernel([&](const backend::Exec&, const Chunk&) { called = true; });
  EXPECT_GE(pipeline.run(), 0);
  EXPECT_FALSE(called);
  EXPECT_EQ(a.rows(), 0U);
}

TEST_P(TransferConformance, MemoryThatIsMissingIsAnErrorWithItsLabel) {
  Pipeline pipeline(streams_of(emulated(), 2), mode(), Schedule::depth_first, std::size_t{1} << 50);
  try {
    pipeline.operand<float>("vast", Intent::in_out);
    FAIL() << "there is no petabyte";
  } catch (const OutOfMemory& error) {
    EXPECT_NE(std::string(error.what()).find("vast"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(" free of "), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, TransferConformance,
                         ::testing::Combine(::testing::ValuesIn(modes()), ::testing::Bool()),
                         [](const auto& instance) {
                           return std::get<0>(instance.param).name +
                                  (std::get<1>(instance.param) ? "_emulated" : "");
                         });

TEST(TransferModes, AreListedWithHelpAndWhatComesNearest) {
  std::set<std::string> names;
  for (const ModeEntry& info : modes()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name << " is there twice";
    EXPECT_FALSE(info.help.empty()) << info.name;
    EXPECT_TRUE(info.nearest.empty() || modes().find(info.nearest)) << info.name << " and " << info.nearest;
    if (!info.unavailable_reason().empty()) {
      EXPECT_NE(info.nearest, info.name);
      try {
        make_mode(info.name);
        ADD_FAILURE() << info.name << " was made";
      } catch (const CapabilityError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("'" + info.name + "' cannot be had here: " + info.unavailable_reason()),
                  std::string::npos);
        const ModeEntry* const nearest = modes().nearest(info);
        const std::string remedy =
            nearest ? "the nearest that works here is '" + nearest->name + "'" : "available here: ";
        EXPECT_NE(text.find(remedy), std::string::npos) << text;
      }
    }
  }
}

// Reading it takes the host many times as long.
TEST(TransferModes, OnlyWhatTheHostDoesNotReadIsWriteCombined) {
  if (!mode_can_be_had("write_combined")) GTEST_SKIP() << "there is none here";
  std::vector<std::string> taken;
  const auto mode = make_mode("write_combined", [&](const std::string& resource) {
    if (resource != "device") taken.push_back(resource);
    return memory::make_memory_resource(resource);
  });
  for (const Intent intent : {Intent::in, Intent::out, Intent::in_out})
    mode->place({.rows = 10, .row_bytes = 8, .host_pitch = 8}, intent, "operand");
  EXPECT_EQ(taken, (std::vector<std::string>{"write_combined", "pinned", "pinned"}));
}

TEST(TransferModes, UnknownNamesAreRefused) {
  try {
    make_mode("pined");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("there is no transfer mode 'pined'"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("use one of: pageable, pinned"), std::string::npos);
  }
  EXPECT_THROW(from_name<Schedule>("type_1"), UsageError);
  EXPECT_EQ(from_name<Schedule>("breadth_first"), Schedule::breadth_first);
}

/// A mode that says when its memory goes.
class LeavingMode final : public Mode {
 public:
  explicit LeavingMode(bool& gone) : gone_(gone), mode_(make_mode("pinned")) {}
  ~LeavingMode() override { gone_ = true; }
  const OperandMemory& place(const Layout& layout, Intent intent, const std::string& label) override {
    return mode_->place(layout, intent, label);
  }
  void to_device(Streams&, int, int, std::span<const Piece>) override {}
  void to_host(Streams&, int, int, std::span<const Piece>) override {}

 private:
  bool& gone_;
  std::unique_ptr<Mode> mode_;
};

TEST(Pipeline, KeepsItsMemoryUntilItsStreamsAreDone) {
  if (!backend::kernels_on_host) GTEST_SKIP() << "kernels run on a device";
  bool gone = false, done = false;
  {
    auto streams = make_emulated_streams(1, {});
    Streams& used = *streams;
    Pipeline pipeline(std::move(streams), std::make_unique<LeavingMode>(gone), Schedule::none, 1);
    used.enqueue(
        0,
        {.engine = Engine::kernel, .enqueue = [&](const backend::Exec&) { done = !gone; }, .operations = 1});
  }
  EXPECT_TRUE(gone);
  EXPECT_TRUE(done);
}

TEST(Pipeline, RefusesWhatCannotBe) {
  const auto make = [](const std::string& mode) {
    return std::make_unique<Pipeline>(make_device_streams(1), make_mode(mode), Schedule::none, 10);
  };
  const auto pipeline = make("pageable");
  EXPECT_THROW(pipeline->run(), UsageError);  // no kernel
  EXPECT_THROW(pipeline->operand<float>("a", Intent::in, 4, 3), UsageError);
  pipeline->set_kernel([](const backend::Exec&, const Chunk&) {});
  pipeline->run();
  EXPECT_THROW(pipeline->operand<float>("late", Intent::in), UsageError);
  bool second = false;
  pipeline->set_kernel([&](const backend::Exec&, const Chunk&) { second = true; });
  pipeline->run();
  EXPECT_TRUE(second) << "each run may have a kernel of its own";
  if (!mode_can_be_had("graph")) return;
  const auto recorded = make("graph");
  recorded->set_kernel([](const backend::Exec&, const Chunk&) {});
  recorded->run();
  EXPECT_THROW(recorded->set_kernel([](const backend::Exec&, const Chunk&) {}), UsageError);
}

TEST(Pipeline, EachRunBeginsAnew) {
  if (!backend::kernels_on_host) GTEST_SKIP() << "kernels run on a device";
  auto streams = make_emulated_streams(1, {});
  const Streams& used = *streams;
  Pipeline pipeline(std::move(streams), make_mode("pinned"), Schedule::none, 10);
  pipeline.operand<float>("both", Intent::in_out);
  pipeline.set_kernel([](const backend::Exec&, const Chunk&) {});
  for (int run = 0; run < 2; ++run) {
    pipeline.run();
    ASSERT_EQ(used.trace().size(), 3U) << "up, kernel and down of run " << run;
    EXPECT_LT(used.trace()[0].begin, used.trace()[1].begin);
  }
}

}  // namespace
}  // namespace haloheap::transfer
