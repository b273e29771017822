// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/host_state.hpp>

#include <gtest/gtest.h>

#include "scratch.hpp"

namespace haloheap::report {
namespace {

void write(const Scratch& scratch, const std::string& name, const std::string& text) {
  std::filesystem::create_directories((scratch / name).parent_path());
  std::ofstream(scratch / name) << text;
}

void write_core(const Scratch& scratch, int core, const std::string& governor, long low, long high) {
  const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(core) + "/cpufreq/";
  write(scratch, folder + "scaling_governor", governor + "\n");
  write(scratch, folder + "scaling_min_freq", std::to_string(low) + "\n");
  write(scratch, folder + "scaling_max_freq", std::to_string(high) + "\n");
}

TEST(HostState, IsUnknownWhereTheSystemDoesNotTell) {
  const Scratch scratch;
  const HostState state = host_state(scratch.path());
  EXPECT_FALSE(state.load);
  EXPECT_EQ(state.clocks, "");
}

TEST(HostState, HasTheLoadOfTheLastMinute) {
  const Scratch scratch;
  write(scratch, "proc/loadavg", "3.25 2.00 1.00 2/345 6789\n");
  EXPECT_EQ(host_state(scratch.path()).load, 3.25);
}

TEST(HostState, HasTheClocksOfAllCores) {
  const Scratch scratch;
  write_core(scratch, 0, "performance", 1500000, 3700000);
  write_core(scratch, 1, "performance", 1400000, 3600000);
  write(scratch, "sys/devices/system/cpu/online", "0-1\n");
  EXPECT_EQ(host_state(scratch.path()).clocks, "governor performance, 1400 to 3700 MHz");
  write_core(scratch, 2, "powersave", 1500000, 3700000);
  EXPECT_EQ(host_state(scratch.path()).clocks, "governor performance and powersave, 1400 to 3700 MHz");
}

}  // namespace
}  // namespace haloheap::report
