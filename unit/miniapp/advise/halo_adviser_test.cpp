// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/miniapp/advise/emulated_halo.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace haloheap::advise {
namespace {

using test::EmulatedHalo;
using test::Network;

const HaloOptions everything{.transports = {"pageable", "pinned"},
                             .exchanges = {Exchange::sync, Exchange::async},
                             .overlaps = {Overlap::none, Overlap::first_step, Overlap::all_steps},
                             .depths = {1, 2, 4, 8, 16, 32, 64},
                             .allowed = {},
                             .confirmed = 4};

struct Machine {
  std::string name;
  transfer::LinkModel link;
  Network network;
};

/// Links and networks of several ages, and devices of several speeds: cells/s are the kernels' rate.
std::vector<Machine> machines() {
  Machine today{"PCIe 5", {}, {}};
  today.link.kernel = {3e-6, 4e11};
  Machine slow{"PCIe 3", {}, {100e-6, 1e9}};
  slow.link.up = slow.link.down = {10e-6, 12e9};
  slow.link.kernel = {5e-6, 1e11};
  Machine near{"no latency", {}, {1e-6, 100e9}};
  near.link.up = near.link.down = {1e-6, 300e9};
  near.link.kernel = {2e-6, 5e11};
  Machine far{"far away", {}, {400e-6, 5e9}};
  far.link.kernel = {3e-6, 4e11};
  Machine launches{"slow launches", {}, {20e-6, 10e9}};
  launches.link.kernel = {30e-6, 4e11};
  launches.link.submit = 10e-6;
  return {today, slow, near, far, launches};
}

std::vector<HaloShape> shapes() {
  return {HaloShape::inner(256, 256, 1, 2, 1, 4),   HaloShape::inner(1024, 1024, 1, 2, 1, 4),
          HaloShape::inner(4096, 4096, 1, 2, 1, 8), HaloShape::inner(16384, 16384, 1, 2, 1, 4),
          HaloShape::inner(4096, 331, 1, 2, 2, 4),  HaloShape::inner(128, 128, 128, 3, 1, 4)};
}

double step_seconds(EmulatedHalo& bench, const HaloChoice& choice) {
  return *bench.cycle(choice) / choice.depth;
}

/// The least of all choices that may be made.
double best_of_all(EmulatedHalo& bench, const HaloOptions& options) {
  double least = 1e9;
  for (const auto& transport : options.transports)
    for (const Exchange exchange : options.exchanges)
      for (const Overlap overlap : options.overlaps)
        for (const int depth : options.depths)
          least = std::min(least, step_seconds(bench, {transport, exchange, overlap, depth}));
  return least;
}

int within_5_percent(const HaloOptions& options) {
  int good = 0;
  for (const Machine& machine : machines())
    for (const HaloShape& shape : shapes()) {
      EmulatedHalo bench(shape, machine.link, machine.network);
      const HaloAdvice advice = advise_halo(shape, options, bench);
      const double chosen = step_seconds(bench, advice.candidates.front().choice);
      const double best = best_of_all(bench, options);
      good += chosen <= 1.05 * best ? 1 : 0;
    }
  return good;
}

TEST(HaloAdviser, ChoosesDepthsAsExhaustiveRunsDo) {
  // The depth alone, for each overlap, by predictions alone.
  for (const Overlap overlap : everything.overlaps) {
    HaloOptions options = everything;
    options.transports = {"pinned"};
    options.exchanges = {Exchange::sync};
    options.overlaps = {overlap};
    options.confirmed = 0;
    EXPECT_GE(within_5_percent(options), 27) << "of 30, overlap " << static_cast<int>(overlap);
  }
}

TEST(HaloAdviser, ChoosesAllKeysAsExhaustiveRunsDo) {
  EXPECT_GE(within_5_percent(everything), 27) << "of 30";
}

TEST(HaloAdviser, MeasuresLittle) {
  const auto shape = shapes()[1];
  EmulatedHalo bench(shape, machines()[0].link, machines()[0].network);
  const HaloAdvice advice = advise_halo(shape, everything, bench);
  EXPECT_EQ(advice.candidates.size(), 2 * 2 * 7 + 3 * 2 * 7);
  EXPECT_LE(bench.runs(), 12 + 3 + 3 * 2 * 3 + 4) << "of " << 2 * 2 * 3 * 7;
  EXPECT_EQ(advice.paths.size(), 4U);
  EXPECT_EQ(advice.paths.front().transport, "pinned");
  EXPECT_LT(advice.residual(advice.candidates.front().choice), 0.2);
}

/// A machine that has one transport only, and a deck that allows few depths.
class Limited final : public HaloBench {
 public:
  explicit Limited(HaloBench& bench) : bench_(bench) {}
  std::optional<double> exchange(const HaloChoice& c) override {
    return c.transport == "pinned" ? bench_.exchange(c) : std::nullopt;
  }
  std::optional<double> cycle(const HaloChoice& c) override {
    EXPECT_EQ(c.transport, "pinned");
    EXPECT_LE(c.depth, 4);
    return bench_.cycle(c);
  }

 private:
  HaloBench& bench_;
};

TEST(HaloAdviser, WhatIsMissingOrForbiddenIsNotChosen) {
  const auto shape = shapes()[0];
  EmulatedHalo bench(shape, machines()[3].link, machines()[3].network);
  Limited limited(bench);
  HaloOptions options = everything;
  options.allowed = [](const HaloChoice& c) { return c.depth <= 4 && c.overlap != Overlap::all_steps; };
  const HaloAdvice advice = advise_halo(shape, options, limited);
  ASSERT_FALSE(advice.candidates.empty());
  EXPECT_EQ(advice.candidates.front().choice.depth, 4) << "messages take long";
  for (const HaloCandidate& candidate : advice.candidates) {
    EXPECT_LE(candidate.choice.depth, 4);
    EXPECT_NE(candidate.choice.overlap, Overlap::all_steps);
  }
}

class Nothing final : public HaloBench {
  std::optional<double> exchange(const HaloChoice&) override { return std::nullopt; }
  std::optional<double> cycle(const HaloChoice&) override { return std::nullopt; }
};

TEST(HaloAdviser, NothingMeasuredIsNoAdvice) {
  Nothing nothing;
  EXPECT_TRUE(advise_halo(shapes()[0], everything, nothing).candidates.empty());
}

}  // namespace
}  // namespace haloheap::advise
