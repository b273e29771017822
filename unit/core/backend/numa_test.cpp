// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/numa.hpp>
#include <haloheap/core/base/error.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <sched.h>
#include <unistd.h>

namespace haloheap::backend {
namespace {

using Cpus = std::vector<int>;

/// CPUs that this thread may run on.
Cpus allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
  Cpus cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  return cpus;
}

void allow(const Cpus& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(cpu, &set);
  EXPECT_EQ(sched_setaffinity(0, sizeof(set), &set), 0);
}

/// A machine with two nodes, as sysfs shows it.
class Numa : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::temp_directory_path() / ("haloheap_numa_" + std::to_string(getpid()));
    node(0, std::to_string(allowed().front()));
    node(1, "16000-16003");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void node(int number, const std::string& cpus) {
    const auto folder = root_ / "sys/devices/system/node" / ("node" + std::to_string(number));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "cpulist") << cpus << "\n";
  }

  std::filesystem::path root_;
};

TEST_F(Numa, ListsOfCpusAreRead) {
  EXPECT_EQ(parse_cpu_list("0-3,8,10-11\n"), (Cpus{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(parse_cpu_list("5"), (Cpus{5}));
  EXPECT_EQ(parse_cpu_list(""), Cpus());
  EXPECT_EQ(parse_cpu_list("\n"), Cpus());
  for (const char* wrong : {"a", "1-", "-1", "1,,2", "1-2-3", "0-99999"})
    EXPECT_THROW(parse_cpu_list(wrong), UsageError) << wrong;
}

TEST_F(Numa, NodesAreRead) {
  EXPECT_EQ(cpus_of_node(1, root_), (Cpus{16000, 16001, 16002, 16003}));
  EXPECT_EQ(cpus_of_node(2, root_), Cpus());
}

TEST_F(Numa, ABindingLastsAsLongAsItsObject) {
  const Cpus before = allowed();
  {
    const NodeBinding binding(0, root_);
    EXPECT_TRUE(binding.bound());
    EXPECT_EQ(binding.text(), "bound to 1 CPU of NUMA node 0, near the device");
    EXPECT_EQ(allowed(), (Cpus{before.front()}));
  }
  EXPECT_EQ(allowed(), before);
}

TEST_F(Numa, ABindingStaysOnTheCpusOfTheProcess) {
  const Cpus before = allowed();
  std::string all = "16000";
  for (const int cpu : before) all += "," + std::to_string(cpu);
  node(0, all);
  allow({before.front()});
  {
    const NodeBinding binding(0, root_);
    EXPECT_EQ(binding.text(), "bound to 1 CPU of NUMA node 0, near the device");
    EXPECT_EQ(allowed(), (Cpus{before.front()}));
  }
  allow(before);
}

TEST_F(Numa, WhereItCannotBindItSaysSo) {
  const Cpus before = allowed();
  for (const int node : {-1, 1, 2}) {
    const NodeBinding binding(node, root_);
    EXPECT_FALSE(binding.bound());
    EXPECT_EQ(binding.text(),
              node < 0 ? "not bound to a NUMA node: the system does not say which one is near the device"
                       : "not bound to NUMA node " + std::to_string(node) +
                             ": the process may run on none of its CPUs");
    EXPECT_EQ(allowed(), before);
  }
}

}  // namespace
}  // namespace haloheap::backend
