// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/phase_timer.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <thread>

namespace haloheap::comm {
namespace {

const std::array<double, phase_count> nothing{};

double of(const PhaseTimer& timer, Phase phase) {
  return timer.seconds()[static_cast<std::size_t>(phase)];
}

/// A span of at least `milliseconds` in the queue of `exec`.
void spend(PhaseTimer& timer, Phase phase, const PhaseTimer::Exec& exec, int milliseconds) {
  timer.begin(phase, exec);
  exec.fence("haloheap::unit::begun");
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  timer.end(phase, exec);
  exec.fence("haloheap::unit::ended");
}

TEST(PhaseTimer, adds_up_the_spans_of_each_phase) {
  const PhaseTimer::Exec exec;
  PhaseTimer timer(true);
  EXPECT_EQ(timer.seconds(), nothing);
  spend(timer, Phase::pack, exec, 4);
  const double first = of(timer, Phase::pack);
  EXPECT_GE(first, 0.003);
  spend(timer, Phase::inner, exec, 4);
  EXPECT_EQ(of(timer, Phase::pack), first) << "another phase";
  spend(timer, Phase::pack, exec, 4);
  EXPECT_GE(of(timer, Phase::pack), first + 0.003);
  EXPECT_EQ(of(timer, Phase::message), 0);
}

TEST(PhaseTimer, phases_may_overlap) {
  const PhaseTimer::Exec exec;
  PhaseTimer timer(true);
  timer.begin(Phase::outer, exec);
  spend(timer, Phase::inner, exec, 4);
  timer.end(Phase::outer, exec);
  exec.fence("haloheap::unit::ended");
  EXPECT_GE(of(timer, Phase::outer), of(timer, Phase::inner));
}

TEST(PhaseTimer, adds_host_time_exactly) {
  PhaseTimer timer(true);
  timer.add(Phase::message, 0.5);
  timer.add(Phase::message, 0.25);
  timer.add(Phase::desynchronisation, 2);
  EXPECT_EQ(of(timer, Phase::message), 0.75);
  EXPECT_EQ(of(timer, Phase::desynchronisation), 2);
}

TEST(PhaseTimer, starts_again_after_a_reset) {
  const PhaseTimer::Exec exec;
  PhaseTimer timer(true);
  timer.reserve(3);
  for (int i = 0; i < 5; ++i) spend(timer, Phase::primary, exec, 1);
  timer.add(Phase::message, 1);
  timer.reset();
  EXPECT_EQ(timer.seconds(), nothing);
  spend(timer, Phase::unpack, exec, 2);
  EXPECT_EQ(of(timer, Phase::primary), 0) << "a span that is used again belongs to its new phase";
  EXPECT_GE(of(timer, Phase::unpack), 0.001);
}

TEST(PhaseTimer, records_nothing_when_disabled) {
  const PhaseTimer::Exec exec;
  PhaseTimer timer(false);
  timer.reserve(10);
  spend(timer, Phase::pack, exec, 1);
  timer.add(Phase::message, 1);
  EXPECT_EQ(timer.seconds(), nothing);
}

TEST(HostSpan, adds_its_life_to_a_phase) {
  PhaseTimer timer(true);
  {
    const HostSpan span(timer, Phase::message);
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    EXPECT_EQ(of(timer, Phase::message), 0);
  }
  EXPECT_GE(of(timer, Phase::message), 0.003);
}

}  // namespace
}  // namespace haloheap::comm
