// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/solvers/field_kernels.hpp>
#include <haloheap/comm/solvers/replayed_steps.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace haloheap::comm::detail {
namespace {

using Host = ReplayedSteps::Host;

struct TimesAndPlus {
  int* values;
  int factor, more;
  KOKKOS_FUNCTION void operator()(int i) const { values[i] = factor * values[i] + more; }
};

/// Steps that count how often they are called, of which two run in either order with other results.
class ReplayedStepsTest : public ::testing::Test {
 protected:
  static constexpr int size = 1013;

  ReplayedSteps::Step step(int factor, int more) {
    return [this, factor, more](const ReplayedSteps::Exec& exec) {
      ++called;
      enqueued_on = &exec;
      using Policy = Kokkos::RangePolicy<ReplayedSteps::Exec>;
      backend::parallel_for("haloheap::unit::times_and_plus",
                            backend::as_kernel_argument(Policy(exec, 0, size)),
                            TimesAndPlus{values.data(), factor, more});
    };
  }
  std::vector<int> content(const backend::Instance& instance) {
    std::vector<int> found(size);
    backend::copy(instance.exec(), found.data(), values.data(), size * sizeof(int));
    return found;
  }

  const backend::Instance first{backend::Priority::low}, second{backend::Priority::high};
  const memory::Array<int> values{memory::make_memory_resource("device"), "haloheap::unit::values", size};
  ReplayedSteps steps;
  int called = 0;
  const ReplayedSteps::Exec* enqueued_on = nullptr;
};

TEST_F(ReplayedStepsTest, run_in_their_order_from_graphs_or_without) {
  std::vector<int> seen;  // by the host, between two graphs
  steps.add(Host::stays_out, step(2, 1));
  steps.add(Host::stays_out, step(3, 0));
  steps.add(Host::takes_part, [&](const ReplayedSteps::Exec& exec) {
    int value = 0;
    backend::copy(exec, &value, values.data() + size - 1, sizeof(value));
    seen.push_back(value);
  });
  steps.add(Host::stays_out, step(1, 5));
  backend::copy(first.exec(), values.data(), std::vector<int>(size, 1).data(), size * sizeof(int));
  int wanted = 1;
  for (int run = 0; run < 5; ++run) {
    const backend::Instance& instance = run < 3 ? first : second;  // done by now: content() waits
    steps.run(instance.exec());
    EXPECT_EQ(seen.back(), 3 * (2 * wanted + 1));
    wanted = seen.back() + 5;
    EXPECT_EQ(content(instance), std::vector<int>(size, wanted));
    EXPECT_EQ(steps.graphs(), run == 0 ? 0 : 2);
    if (backend::kernels_on_host) {
      EXPECT_EQ(enqueued_on, &instance.exec());
    }
  }
  EXPECT_EQ(seen.size(), 5U);
  EXPECT_EQ(called, backend::kernels_on_host ? 15 : 6);  // once as they are, and once to record them
}

TEST_F(ReplayedStepsTest, may_all_need_the_host) {
  int times = 0;
  steps.add(Host::takes_part, [&](const ReplayedSteps::Exec&) { ++times; });
  for (int run = 0; run < 3; ++run) steps.run(first.exec());
  EXPECT_EQ(times, 3);
  EXPECT_EQ(steps.graphs(), 0);
}

TEST_F(ReplayedStepsTest, may_be_none) {
  steps.run(first.exec());
  EXPECT_EQ(steps.graphs(), 0);
}

}  // namespace
}  // namespace haloheap::comm::detail
