// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo_model.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

namespace haloheap {
namespace {

const HaloShape square = HaloShape::inner(100, 100, 1, 2, 1, 4);

TEST(HaloShape, CountsCells) {
  EXPECT_EQ(square.own_cells(), 10000);
  EXPECT_EQ(square.updates(1), 10000);
  EXPECT_EQ(square.updates(3), 104 * 104 + 102 * 102 + 10000);
  EXPECT_EQ(square.halo_bytes(2), 4 * (104 * 104 - 10000));
  EXPECT_EQ(square.hidden_updates(3, Overlap::none), 0);
  EXPECT_EQ(square.hidden_updates(3, Overlap::first_step), 98 * 98);
  EXPECT_EQ(square.hidden_updates(3, Overlap::all_steps), 98 * 98 + 96 * 96 + 94 * 94);
}

TEST(HaloShape, SidesWithoutNeighboursHaveNoHalo) {
  HaloShape strip = HaloShape::inner(50, 7, 3, 3, 2, 8);
  strip.sides[0] = 1;
  strip.sides[1] = 0;
  EXPECT_EQ(strip.halo_bytes(1), 8 * (52 * 7 * 7 - 50 * 7 * 3));
  EXPECT_EQ(strip.hidden_updates(1, Overlap::first_step), 0) << "all of it is frame";
}

TEST(HaloModel, CyclesAddUp) {
  const HaloCosts costs{
      .exchange = 100, .byte = 0.5, .step = 1000, .frame_cell = 2, .hideable = 0.5, .split = 7};
  const double halo = 4 * (104.0 * 104 - 10000), frame = 102.0 * 102 - 10000;
  const double serial = 100 + 0.5 * halo + 2000 + 2 * frame;
  EXPECT_DOUBLE_EQ(cycle_seconds(square, costs, 2, Overlap::none), serial);
  EXPECT_DOUBLE_EQ(cycle_seconds(square, costs, 2, Overlap::first_step),
                   serial - 0.5 * (100 + 0.5 * halo) + 7);
  const HaloCosts quick{.exchange = 30, .byte = 0, .step = 1000};
  EXPECT_DOUBLE_EQ(cycle_seconds(square, quick, 2, Overlap::all_steps), 2000);
  const HaloCosts slow{.exchange = 3000, .byte = 0, .step = 1000};
  EXPECT_DOUBLE_EQ(cycle_seconds(square, slow, 1, Overlap::first_step), 4000 - 960.4)
      << "98^2 of 100^2 cells";
}

TEST(HaloModel, FitsFindTheCosts) {
  const HaloCosts truth{
      .exchange = 60e-6, .byte = 1 / 12e9, .step = 90e-6, .frame_cell = 4e-9, .hideable = 0.8, .split = 3e-6};
  SecondsOfDepth exchanges, steps, overlapped;
  for (const int depth : {1, 4, 16, 32}) {
    exchanges[depth] = truth.exchange + truth.byte * square.halo_bytes(depth);
    steps[depth] = cycle_seconds(square, truth, depth, Overlap::none) - exchanges[depth];
    overlapped[depth] = cycle_seconds(square, truth, depth, Overlap::all_steps);
  }
  HaloCosts found;
  EXPECT_LT(fit_exchanges(square, exchanges, found), 1e-9);
  EXPECT_LT(fit_steps(square, steps, found), 1e-9);
  EXPECT_LT(fit_overlap(square, overlapped, Overlap::all_steps, found), 1e-9);
  EXPECT_NEAR(found.exchange, truth.exchange, 1e-10);
  EXPECT_NEAR(found.byte, truth.byte, 1e-15);
  EXPECT_NEAR(found.step, truth.step, 1e-10);
  EXPECT_NEAR(found.frame_cell, truth.frame_cell, 1e-14);
  EXPECT_NEAR(found.hideable, truth.hideable, 1e-6);
  EXPECT_NEAR(found.split, truth.split, 1e-11);
}

// --- The tables of the thesis (Valen 2023, Appendix C): 56 of 7 depths, 4 ranks, 2048 steps ----------------

struct Table {
  std::string name;
  double side = 0;
  bool overlapped = false;
  SecondsOfDepth steps;   ///< seconds of a step, by depth
  SecondsOfDepth sweeps;  ///< of it what the stencil takes, where nothing overlaps
};

std::vector<Table> thesis() {
  std::ifstream file(HALOHEAP_THESIS_TABLES);
  std::vector<Table> tables;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream row(line);
    std::string table, gpu, side, exchange, schedule, depth, seconds, skipped, sweeps;
    for (std::string* entry : {&table, &gpu, &side, &exchange, &schedule, &depth, &seconds, &skipped,
                               &skipped, &skipped, &skipped, &sweeps})
      std::getline(row, *entry, ',');
    const std::string name = gpu + " " + side + " " + exchange;
    if (tables.empty() || tables.back().name != name + " " + schedule)
      tables.push_back({name + " " + schedule, std::stod(side), schedule != "serial", {}, {}});
    tables.back().steps[std::stoi(depth)] = std::stod(seconds) / 2048;
    tables.back().sweeps[std::stoi(depth)] = std::stod(sweeps) / 2048;
  }
  return tables;
}

int least(const SecondsOfDepth& seconds) {
  int found = seconds.begin()->first;
  for (const auto& [depth, value] : seconds)
    if (value < seconds.at(found)) found = depth;
  return found;
}

/// What the model says of a table. An overlap is fitted on top of the costs without one.
SecondsOfDepth predicted(const HaloShape& shape, const Table& serial, const Table* overlapped) {
  SecondsOfDepth exchanges, sweeps, cycles;
  for (const auto& [depth, seconds] : serial.steps) {
    sweeps[depth] = depth * serial.sweeps.at(depth);
    exchanges[depth] = depth * seconds - sweeps[depth];
    if (overlapped) cycles[depth] = depth * overlapped->steps.at(depth);
  }
  HaloCosts costs;
  fit_exchanges(shape, exchanges, costs);
  fit_steps(shape, sweeps, costs);
  const Overlap overlap = overlapped ? Overlap::first_step : Overlap::none;
  if (overlapped) fit_overlap(shape, cycles, overlap, costs);
  SecondsOfDepth result;
  for (const auto& [depth, seconds] : serial.steps)
    result[depth] = cycle_seconds(shape, costs, depth, overlap) / depth;
  return result;
}

TEST(HaloModel, ChoosesTheThesisDepths) {
  const auto tables = thesis();
  ASSERT_EQ(tables.size(), 56U);
  int good = 0;
  for (const Table& table : tables) {
    ASSERT_EQ(table.steps.size(), 7U) << table.name;
    const Table* serial = &table;
    if (table.overlapped)
      for (const Table& other : tables)
        if (!other.overlapped && table.name.starts_with(other.name.substr(0, other.name.rfind(' '))))
          serial = &other;
    ASSERT_FALSE(serial->overlapped) << table.name;
    const auto shape = HaloShape::inner(table.side / 2, table.side / 2, 1, 2, 1, sizeof(float));
    const int chosen = least(predicted(shape, *serial, table.overlapped ? &table : nullptr));
    const double loss = table.steps.at(chosen) / table.steps.at(least(table.steps)) - 1;
    good += loss <= 0.05 ? 1 : 0;
    if (loss > 0.05)
      RecordProperty(table.name, std::to_string(100 * loss) + " % slower at depth " + std::to_string(chosen));
  }
  EXPECT_GE(good, 51) << "of 56 tables, 90 %; 53 when this was written";
}

}  // namespace
}  // namespace haloheap
