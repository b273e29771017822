// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_kernel.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace haloheap {
namespace {

TransferSettings settings_of(const std::string& text) {
  return read_transfer(deck::load_text(app_schema(), "problem = 'transfer'\n" + text, "a.toml").point(0));
}

/// What rounding leaves of 1 - sqrt(sin^2 + cos^2) after so many iterations, for elements of all angles.
std::vector<float> rounding_after(int iterations) {
  std::vector<float> result;
  for (std::size_t index = 0; index < 1024; ++index) result.push_back(added(index, iterations, -1));
  return result;
}

// What [Bhimani2016] measured on compilers that do not optimise: its loop has no result, and others delete
// it. Here it has one, of which the kernel takes a share that is 0 but for these tests: no compiler knows
// that.
TEST(TransferKernel, EachIterationShowsInTheResult) {
  std::set<std::vector<float>> seen;
  for (int iterations = 0; iterations < 4; ++iterations)
    EXPECT_TRUE(seen.insert(rounding_after(iterations)).second) << iterations;
  for (const int iterations : {1, 3}) {
    transfer::Pipeline pipeline(transfer::make_device_streams(1), transfer::make_mode("pinned"),
                                transfer::Schedule::none, 2000);
    const WrongAfter wrong = add_one(iterations, -1)(pipeline);
    pipeline.run();
    EXPECT_EQ(wrong(1), 0U);
  }
}

TEST(TransferKernel, AddsExactlyOne) {
  for (const int iterations : {0, 1, 7}) {
    transfer::Pipeline pipeline(transfer::make_device_streams(3), transfer::make_mode("pageable"),
                                transfer::Schedule::depth_first, 5000);
    const WrongAfter wrong = add_one(iterations)(pipeline);
    EXPECT_EQ(wrong(0), 0U);
    EXPECT_EQ(wrong(1), 5000U);
    pipeline.run();
    EXPECT_EQ(wrong(1), 0U);
    pipeline.run();
    EXPECT_EQ(wrong(1), 5000U);
    EXPECT_EQ(wrong(2), 0U);
  }
}

TEST(TransferKernel, ItsWorkShowsInTheResultWhereItHasAShare) {
  transfer::Pipeline pipeline(transfer::make_device_streams(1), transfer::make_mode("pageable"),
                              transfer::Schedule::none, 5000);
  const WrongAfter wrong = add_one(5, 1)(pipeline);
  pipeline.run();
  EXPECT_EQ(wrong(1), 0U);
  EXPECT_NEAR(added(1023, 5, 1), 2, 1e-6);  // sin^2 + cos^2
  EXPECT_NE(added(1023, 5, 1), added(1023, 5, 0));
}

TEST(Iterations, MakeTheKernelAsLongAsAsked) {
  for (const double ratio : {0.1, 1.0, 10.0})
    for (const char* rate : {"50.0", "100.0"}) {
      const auto settings = settings_of(std::string("transfer.mode = 'pageable'\ntransfer.bytes = "
                                                    "4000\nlink.kernel_latency = 0.1\nlink.kernel = ") +
                                        rate);
      const Iterations found = calibrate_iterations(settings, {}, ratio);
      EXPECT_NEAR(found.ratio, ratio, 0.1 * ratio) << rate;
      EXPECT_GT(found.count, 0);
    }
}

TEST(Iterations, AreNoneWhereTheLaunchTakesLonger) {
  const auto settings =
      settings_of("transfer.mode = 'pageable'\ntransfer.bytes = 400\nlink.kernel_latency = 100");
  const Iterations found = calibrate_iterations(settings, {}, 0.1);
  EXPECT_EQ(found.count, 0);
  EXPECT_NEAR(found.ratio, 100.0 / 10, 0.1);
}

TEST(TransferResult, TheBoundHidesAllButTheBusiestEngine) {
  const EngineSeconds engines{2, 6, 1};
  EXPECT_EQ(engines.sum(), 9);
  EXPECT_EQ(engines.bound(1), 9);
  EXPECT_EQ(engines.bound(3), 7);
  EXPECT_DOUBLE_EQ(engines.bound(1000), 6.003);
}

TEST(TransferResult, TimesAreThoseOfTheLink) {
  auto settings = settings_of(
      "transfer = {mode = 'pinned', bytes = 4000000}\n"
      "link = {h2d = 1.0, d2h = 2.0, kernel = 1.0, h2d_latency = 10.0, d2h_latency = 20.0, kernel_latency = "
      "30.0, "
      "submit = 0.0}");
  int done = 0;
  const TransferResult result = measure_transfer(settings, {}, add_one(0), [&] { ++done; });
  EXPECT_EQ(done, settings.warm_ups + settings.repetitions);
  EXPECT_EQ(result.seconds.size(), static_cast<std::size_t>(settings.repetitions));
  EXPECT_NEAR(result.engines->h2d, 10e-6 + 4e-3, 1e-9);
  EXPECT_NEAR(result.engines->kernel, 30e-6 + 1e-3, 1e-9);
  EXPECT_NEAR(result.engines->d2h, 20e-6 + 2e-3, 1e-9);
  for (const double seconds : result.seconds) EXPECT_NEAR(seconds, result.engines->sum(), 1e-9);
  EXPECT_EQ(result.wrong, 0U);
  EXPECT_EQ(result.chunks, 1);
}

TEST(TransferMeasurement, WaitingForAnEngineIsNotWorkOfItsOwn) {
  using transfer::Engine;
  const std::vector<transfer::TraceEvent> spans{{Engine::h2d, 1, 1, 2, 5},
                                                {Engine::h2d, 0, 0, 1, 4},
                                                {Engine::h2d, 2, 2, 2, 3},
                                                {Engine::kernel, 0, 0, 0, 9},
                                                {Engine::h2d, 3, 3, 7, 8}};
  EXPECT_EQ(busy_seconds(spans, Engine::h2d), 5);
  EXPECT_EQ(busy_seconds(spans, Engine::kernel), 9);
  EXPECT_EQ(busy_seconds(spans, Engine::d2h), 0);
}

TEST(TransferSettings, NoScheduleIsOneStream) {
  EXPECT_EQ(settings_of("transfer = {mode = 'pinned', streams = 9}").streams, 1);
  EXPECT_EQ(settings_of("transfer = {mode = 'pinned', streams = 9, schedule = 'depth_first'}").streams, 9);
}

TEST(TransferSettings, RefusesWhatCannotBe) {
  const auto cause = [](const std::string& text) {
    try {
      const auto deck = deck::load_text(app_schema(), "problem = 'transfer'\n" + text, "a.toml").point(0);
      problems().at("transfer").make()->plan(deck, 1);
    } catch (const UsageError& error) {
      const std::string all = error.what();
      return all.substr(0, all.find('\n'));
    }
    return std::string();
  };
  EXPECT_EQ(cause(""), "default: transfer.mode: problem 'transfer' measures a mode, and none is chosen");
  EXPECT_EQ(cause("transfer.mode = 'none'"),
            "a.toml:2:17: transfer.mode: problem 'transfer' measures a mode, and none is chosen");
  EXPECT_EQ(cause("transfer.bytes = 4003\ntransfer.mode = 'pinned'"),
            "a.toml:2:18: transfer.bytes: 4003 bytes are not a whole number of floats");
  EXPECT_EQ(cause("transfer = {bound = 'compute', iterations = 5, mode = 'pinned'}"),
            "a.toml:2:45: transfer.iterations: the iterations are found for transfer.bound");
  EXPECT_EQ(cause("transfer = {bound = 'none', iterations = 5, mode = 'pinned'}"), "");
}

}  // namespace
}  // namespace haloheap
