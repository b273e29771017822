// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/comm/advise/emulated_halo.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace haloheap::comm {
namespace {

using test::EmulatedDeck;
using test::EmulatedHalo;
using test::EmulatedMachine;
using test::EmulatedTransport;

/// Devices, links and networks of several ages, with and without transports that need no host.
std::vector<EmulatedMachine> machines() {
  using enum EmulatedTransport::Way;
  const EmulatedTransport pinned{through_host, 20e-6, 10e9}, pageable{blocking_host, 20e-6, 10e9};
  EmulatedMachine linked{"linked devices", {{"pinned", pinned}, {"pageable", pageable}}};
  linked.transports["peer_copy"] = {copies, 6e-6, 200e9};
  linked.transports["peer_store"] = {stores, 4e-6, 150e9};
  EmulatedMachine alone{"devices behind a network", {{"pinned", pinned}, {"pageable", pageable}}};
  EmulatedMachine far{"far away", {{"pinned", {through_host, 300e-6, 5e9}}}};
  EmulatedMachine launches{"slow launches", linked.transports};
  launches.submit = 8e-6;
  launches.launch = 6e-6;
  EmulatedMachine old{"old", {{"pinned", pinned}, {"peer_copy", {copies, 15e-6, 10e9}}}};
  old.memory = 5e11;
  old.updates = 6e11;
  old.copy_rate = 12e9;
  old.slots = 56 * 16;
  old.roomy = 3;
  return {linked, alone, far, launches, old};
}

EmulatedDeck deck_of(HaloShape shape, int dims, double points, int max_fused) {
  return {shape, dims, points, max_fused};
}

/// Subdomains of several rank grids, stencils and precisions.
std::vector<EmulatedDeck> decks() {
  HaloShape slab = HaloShape::inner(8192, 4096, 1, 2, 1, 4),
            corner = HaloShape::inner(4096, 4096, 1, 2, 1, 8);
  slab.sides[0] = 0;
  corner.sides[0] = corner.sides[1] = 1;
  return {deck_of(HaloShape::inner(256, 256, 1, 2, 1, 4), 2, 5, 8),
          deck_of(HaloShape::inner(2048, 1024, 1, 2, 1, 4), 2, 5, 8),
          deck_of(slab, 2, 5, 8),
          deck_of(corner, 2, 5, 8),
          deck_of(HaloShape::inner(3000, 331, 1, 2, 2, 4), 2, 9, 4),
          deck_of(HaloShape::inner(1024, 1024, 1, 2, 1, 8), 2, 9, 8),
          deck_of(HaloShape::inner(128, 128, 128, 3, 1, 4), 3, 7, 4),
          deck_of(HaloShape::inner(256, 256, 64, 3, 1, 8), 3, 27, 2)};
}

/// All that may be chosen of a deck on a machine.
HaloOptions everything(const EmulatedMachine& machine, const EmulatedHalo& bench) {
  HaloOptions options{.transports = {},
                      .exchanges = {Exchange::sync, Exchange::async},
                      .overlaps = {Overlap::none, Overlap::first_step, Overlap::all_steps},
                      .depths = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64},
                      .fused = {1, 2, 3, 4, 6, 8},
                      .graphs = {false, true},
                      .allowed = [&bench](const HaloChoice& choice) { return bench.allowed(choice); }};
  for (const auto& [name, transport] : machine.transports) options.transports.push_back(name);
  return options;
}

double step_seconds(const EmulatedHalo& bench, const HaloChoice& choice) {
  return bench.exact(choice) / choice.depth;
}

HaloChoice best_of_all(const EmulatedHalo& bench, const HaloOptions& options) {
  const std::vector<HaloChoice> choices = all_choices(options);
  return *std::min_element(choices.begin(), choices.end(), [&](const HaloChoice& a, const HaloChoice& b) {
    return step_seconds(bench, a) < step_seconds(bench, b);
  });
}

std::string in_words(const HaloChoice& choice) {
  std::ostringstream text;
  text << choice.transport << (choice.exchange == Exchange::sync ? " sync" : " async") << ", overlap "
       << static_cast<int>(choice.overlap) << ", depth " << choice.depth << ", fused " << choice.fused
       << (choice.graph ? ", graph" : "");
  return text.str();
}

constexpr double noise = 0.01;

TEST(HaloAdviser, ChoosesAllKeysAsExhaustiveRunsDo) {
  std::set<int> fused;
  std::set<bool> graphs;
  for (const EmulatedMachine& machine : machines())
    for (const EmulatedDeck& deck : decks()) {
      EmulatedHalo bench(deck, machine, noise);
      const HaloOptions options = everything(machine, bench);
      const HaloChoice chosen = advise_halo(deck.shape, options, bench).candidates.front().choice;
      const HaloChoice best = best_of_all(bench, options);
      EXPECT_LE(step_seconds(bench, chosen), 1.05 * step_seconds(bench, best))
          << machine.name << ", " << deck.shape.cells[0] << " x " << deck.shape.cells[1] << " x "
          << deck.shape.cells[2] << ": chosen " << in_words(chosen) << "; best " << in_words(best);
      fused.insert(best.fused);
      graphs.insert(best.graph);
    }
  EXPECT_GE(fused.size(), 4U) << "the machines and decks differ in what is best for them";
  EXPECT_EQ(graphs.size(), 2U);
}

/// A machine that cannot do everything, or not for long.
class Lacking final : public HaloBench {
 public:
  using Can = std::function<bool(const HaloChoice&)>;
  Lacking(HaloBench& bench, Can exchange, Can cycle)
      : bench_(bench), exchange_(std::move(exchange)), cycle_(std::move(cycle)) {}
  std::optional<double> exchange(const HaloChoice& c) override {
    return exchange_(c) ? bench_.exchange(c) : std::nullopt;
  }
  std::optional<double> cycle(const HaloChoice& c) override {
    return cycle_(c) ? bench_.cycle(c) : std::nullopt;
  }

 private:
  HaloBench& bench_;
  Can exchange_, cycle_;
};

bool everything_goes(const HaloChoice&) {
  return true;
}
bool nothing_goes(const HaloChoice&) {
  return false;
}

TEST(HaloAdviser, WhatIsMissingOrForbiddenIsNotChosen) {
  const EmulatedMachine machine = machines()[2];
  EmulatedHalo bench(decks()[0], machine);
  const auto has_one_transport = [](const HaloChoice& c) { return c.transport == "pinned"; };
  Lacking limited(bench, has_one_transport, [](const HaloChoice& c) {
    EXPECT_EQ(c.transport, "pinned");
    EXPECT_LE(c.depth, 4);
    return true;
  });
  HaloOptions options = everything(machine, bench);
  options.transports = {"peer_store", "pinned"};
  options.allowed = [](const HaloChoice& c) {
    return c.depth <= 4 && c.overlap != Overlap::all_steps && !c.graph;
  };
  const HaloAdvice advice = advise_halo(decks()[0].shape, options, limited);
  ASSERT_FALSE(advice.candidates.empty());
  EXPECT_EQ(advice.candidates.front().choice.depth, 4) << "messages take long";
  for (const HaloCandidate& candidate : advice.candidates) {
    EXPECT_EQ(candidate.choice.transport, "pinned");
    EXPECT_LE(candidate.choice.depth, 4);
    EXPECT_NE(candidate.choice.overlap, Overlap::all_steps);
    EXPECT_FALSE(candidate.choice.graph);
  }
}

TEST(HaloAdviser, WhatIsKeptIsKept) {
  const EmulatedMachine machine = machines()[0];
  EmulatedHalo bench(decks()[1], machine);
  HaloOptions options = everything(machine, bench);
  options.depths = {7};
  options.fused = {3};  // passes of 3, 2 and 2
  options.overlaps = {Overlap::all_steps};
  options.graphs = {true};
  const HaloAdvice advice = advise_halo(decks()[1].shape, options, bench);
  ASSERT_FALSE(advice.candidates.empty());
  for (const HaloCandidate& candidate : advice.candidates) {
    EXPECT_EQ(candidate.choice.depth, 7);
    EXPECT_EQ(candidate.choice.fused, 3);
    EXPECT_EQ(candidate.choice.overlap, Overlap::all_steps);
    EXPECT_TRUE(candidate.choice.graph);
  }
  EXPECT_TRUE(advice.candidates.front().measured.has_value());
}

TEST(HaloAdviser, MeasuresLittleAndKnowsPasses) {
  for (const EmulatedMachine& machine : machines()) {
    EmulatedHalo bench(decks()[1], machine, noise);
    const HaloOptions options = everything(machine, bench);
    const HaloAdvice advice = advise_halo(decks()[1].shape, options, bench);
    EXPECT_LE(bench.runs(), 160) << machine.name << ", of " << all_choices(options).size();
    EXPECT_EQ(advice.paths.size(), 2 * machine.transports.size());
    EXPECT_EQ(advice.paths.front().costs.passes.known().size(), 6U);
    EXPECT_LT(advice.residual(advice.candidates.front().choice), 0.2);
    EXPECT_TRUE(std::is_sorted(advice.candidates.begin(), advice.candidates.begin() + 5,
                               [](const auto& a, const auto& b) { return a.seconds() < b.seconds(); }));
  }
}

TEST(HaloAdviser, PassesThatAreTheSameAreOneChoice) {
  HaloOptions options{.transports = {"pinned"},
                      .exchanges = {Exchange::sync},
                      .overlaps = {Overlap::none},
                      .depths = {4, 8},
                      .fused = {1, 2, 3, 4, 6, 8}};
  std::set<std::pair<int, int>> pairs;
  for (const HaloChoice& choice : all_choices(options)) pairs.emplace(choice.depth, choice.fused);
  using Pairs = std::set<std::pair<int, int>>;
  EXPECT_EQ(pairs, (Pairs{{4, 1}, {4, 2}, {4, 4}, {8, 1}, {8, 2}, {8, 3}, {8, 4}, {8, 8}}));
  options.fused = {3};
  EXPECT_EQ(all_choices(options).size(), 2U) << "a number that is given stays";
  options.fused = {4};
  options.overlaps = {Overlap::first_step, Overlap::all_steps};
  EXPECT_EQ(all_choices(options).size(), 3U) << "a single pass overlaps in one way";
  options.overlaps = {Overlap::all_steps};
  EXPECT_EQ(all_choices(options).size(), 2U);
}

TEST(HaloAdviser, WhenTheTimeIsUpPredictionsChoose) {
  const EmulatedMachine machine = machines()[0];
  EmulatedHalo bench(decks()[2], machine);
  const HaloOptions options = everything(machine, bench);
  for (const int left : {0, 5, 8, 30, 45, 60, 80}) {
    int runs = left;
    const auto in_time = [&](const HaloChoice&) { return runs-- > 0; };
    Lacking hurried(bench, in_time, in_time);
    const HaloAdvice advice = advise_halo(decks()[2].shape, options, hurried);
    EXPECT_EQ(advice.candidates.empty(), left <= 8) << left << ": exchanges alone say nothing of steps";
    if (left < 45) continue;
    EXPECT_LE(step_seconds(bench, advice.candidates.front().choice),
              1.3 * step_seconds(bench, best_of_all(bench, options)))
        << left;
  }
}

TEST(HaloAdviser, AnOverlapThatIsKeptAndCannotBeMeasuredIsNoAdvice) {
  const EmulatedMachine machine = machines()[0];
  EmulatedHalo bench(decks()[0], machine);
  Lacking refusing(bench, everything_goes, [](const HaloChoice& c) { return c.overlap == Overlap::none; });
  HaloOptions options = everything(machine, bench);
  options.overlaps = {Overlap::first_step};
  EXPECT_TRUE(advise_halo(decks()[0].shape, options, refusing).candidates.empty());
  EXPECT_FALSE(advise_halo(decks()[0].shape, options, bench).candidates.empty());
}

TEST(HaloAdviser, NothingMeasuredIsNoAdvice) {
  EmulatedHalo bench(decks()[0], machines()[0]);
  Lacking nothing(bench, nothing_goes, nothing_goes);
  EXPECT_TRUE(advise_halo(decks()[0].shape, everything(machines()[0], bench), nothing).candidates.empty());
}

}  // namespace
}  // namespace haloheap::comm
