// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/transfer/mode.hpp>
#include <haloheap/miniapp/advise/transfer_adviser.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_kernel.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_measurement.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace haloheap::advise {
namespace {

using transfer::Schedule;

/// Runs on an emulated link, where time is counted.
class EmulatedTransfers final : public TransferBench {
 public:
  explicit EmulatedTransfers(const TransferSettings& settings, int iterations)
      : settings_(settings), iterations_(iterations) {}

  std::optional<double> run(const TransferChoice& choice) override {
    ++runs_;
    TransferSettings settings = settings_;
    settings.mode = choice.mode;
    settings.schedule = choice.schedule;
    settings.streams = choice.streams;
    return measure_transfer(settings, {}, add_one(iterations_), [] {}).seconds.back();
  }
  int runs() const { return runs_; }

 private:
  TransferSettings settings_;
  int iterations_, runs_ = 0;
};

TransferOptions everything() {
  TransferOptions options;
  for (const transfer::ModeEntry& mode : transfer::modes())
    if (mode.unavailable_reason().empty()) options.modes.push_back(mode.name);
  options.schedules = {Schedule::none, Schedule::depth_first, Schedule::breadth_first};
  options.streams = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
  return options;
}

double best_of_all(TransferBench& bench, const TransferOptions& options) {
  double minimum = 1e9;
  for (const std::string& mode : options.modes)
    for (const Schedule schedule : options.schedules)
      for (const int streams : options.streams)
        if (schedule != Schedule::none || streams == 1)
          minimum = std::min(minimum, *bench.run({mode, schedule, streams}));
  return minimum;
}

/// Arrays and links from small to large, and from slow to fast; kernels that take next to nothing to most of
/// the time.
std::vector<std::pair<TransferSettings, int>> decks() {
  std::vector<std::pair<TransferSettings, int>> result;
  for (const double speed : {1e-4, 1e-3})  // of today's links: small arrays take as long as large ones there
    for (const std::size_t rows : {100, 1000})
      for (const double latency : {2e-6, 50e-6})
        for (const int iterations : {0, 4, 40}) {
          TransferSettings settings;
          settings.rows = rows;
          settings.emulated = true;
          settings.link.h2d = {latency, speed * 55e9};
          settings.link.d2h = {latency, speed * 50e9};
          settings.link.pageable_h2d = speed * 10e9;
          settings.link.pageable_d2h = speed * 18e9;
          settings.link.host_copy = speed * 12e9;
          settings.link.kernel = {3e-6, speed * 1e11};
          result.emplace_back(settings, iterations);
        }
  return result;
}

TEST(TransferAdviser, ChoosesAsExhaustiveRunsDo) {
  const TransferOptions options = everything();
  int good = 0, all = 0;
  for (const auto& [settings, iterations] : decks()) {
    EmulatedTransfers bench(settings, iterations);
    const TransferAdvice advice = advise_transfer(options, bench);
    const double chosen = *bench.run(advice.candidates.front().choice), best = best_of_all(bench, options);
    good += chosen <= 1.05 * best ? 1 : 0;
    ++all;
  }
  EXPECT_EQ(all, 24);
  EXPECT_GE(10 * good, 9 * all) << good << " of " << all;
}

TEST(TransferAdviser, ChoosesStreamsByTheModel) {
  TransferOptions options = everything();
  options.modes = {"pinned"};
  options.schedules = {Schedule::depth_first};
  options.confirmed = 0;
  int good = 0;
  for (const auto& [settings, iterations] : decks()) {
    EmulatedTransfers bench(settings, iterations);
    const TransferAdvice advice = advise_transfer(options, bench);
    EXPECT_EQ(bench.runs(), 4);
    EXPECT_EQ(advice.candidates.size(), options.streams.size());
    const double chosen = *bench.run(advice.candidates.front().choice);
    good += chosen <= 1.05 * best_of_all(bench, options) ? 1 : 0;
  }
  EXPECT_GE(good, 22) << "of 24";
}

class Nothing final : public TransferBench {
  std::optional<double> run(const TransferChoice&) override { return std::nullopt; }
};

TEST(TransferAdviser, NothingMeasuredIsNoAdvice) {
  Nothing nothing;
  EXPECT_TRUE(advise_transfer(everything(), nothing).candidates.empty());
}

}  // namespace
}  // namespace haloheap::advise
