// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/phase_timer.hpp>

#include <algorithm>

namespace haloheap::comm {

void PhaseTimer::reserve(std::size_t spans) {
  while (enabled_ && spans_.size() < std::min(used_ + spans, max_spans)) spans_.emplace_back();
}

void PhaseTimer::fold() {
  for (std::size_t i = 0; i < used_; ++i) spans_[i].end.wait_on_host();
  host_ = seconds();
  used_ = 0;
}

void PhaseTimer::begin(Phase phase, const Exec& exec) {
  if (!enabled_) return;
  if (used_ == max_spans) fold();
  if (used_ == spans_.size()) spans_.emplace_back();
  open_[static_cast<std::size_t>(phase)] = used_;
  Span& span = spans_[used_++];
  span.phase = phase;
  span.begin.record(exec);
}

void PhaseTimer::end(Phase phase, const Exec& exec) {
  if (enabled_) spans_[open_[static_cast<std::size_t>(phase)]].end.record(exec);
}

void PhaseTimer::add(Phase phase, double seconds) {
  if (enabled_) host_[static_cast<std::size_t>(phase)] += seconds;
}

std::array<double, phase_count> PhaseTimer::seconds() const {
  auto sums = host_;
  for (std::size_t i = 0; i < used_; ++i)
    sums[static_cast<std::size_t>(spans_[i].phase)] +=
        backend::seconds_between(spans_[i].begin, spans_[i].end);
  return sums;
}

void PhaseTimer::reset() {
  used_ = 0;
  host_ = {};
}

}  // namespace haloheap::comm
