// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/replayed_steps.hpp>

#include <algorithm>
#include <utility>

namespace haloheap::comm::detail {

void ReplayedSteps::add(Host host, Step step) {
  if (parts_.empty() || parts_.back().host != host) parts_.push_back({host, {}, {}});
  parts_.back().steps.push_back(std::move(step));
}

void ReplayedSteps::run(const Exec& exec) {
  const bool again = exec_ != nullptr;  // the first time devices load the kernels, which no recording should
  for (std::size_t number = 0; number < parts_.size(); ++number) {
    Part& part = parts_[number];
    if (again && part.host == Host::stays_out && !part.graph) record(number);
    exec_ = &exec;
    if (part.graph)
      part.graph->launch(exec);
    else
      enqueue(part);
  }
}

int ReplayedSteps::graphs() const {
  return static_cast<int>(
      std::count_if(parts_.begin(), parts_.end(), [](const Part& part) { return part.graph.has_value(); }));
}

void ReplayedSteps::enqueue(const Part& part) const {
  for (const Step& step : part.steps) step(*exec_);
}

void ReplayedSteps::record(std::size_t number) {
  if (!recorder_) recorder_.emplace(backend::Priority::low);
  exec_ = &recorder_->exec();
  parts_[number].graph.emplace(*exec_, [this, number] { enqueue(parts_[number]); });
}

}  // namespace haloheap::comm::detail
