// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/advise/transfer_adviser.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace haloheap::advise {
namespace {

using transfer::Schedule;

class TransferAdviser {
 public:
  TransferAdviser(const TransferOptions& options, TransferBench& bench) : options_(options), bench_(bench) {}

  TransferAdvice run() {
    for (const std::string& mode : options_.modes) add_mode(mode);
    std::stable_sort(advice_.candidates.begin(), advice_.candidates.end(),
                     [](const auto& a, const auto& b) { return a.seconds() < b.seconds(); });
    confirm();
    return std::move(advice_);
  }

 private:
  /// The fewest and the most streams, and two between, evenly by factors.
  std::set<int> samples() const {
    const auto& all = options_.streams;
    std::set<int> chosen;
    for (const std::size_t i : {std::size_t{0}, all.size() / 3, 2 * all.size() / 3, all.size() - 1})
      chosen.insert(all[i]);
    return chosen;
  }

  void add_mode(const std::string& mode) {
    // One chunk on one stream is the same in all schedules, but for what a schedule adds to it.
    for (const Schedule schedule : options_.schedules) {
      if (schedule == Schedule::none) {
        const auto seconds = bench_.run({mode, schedule, 1});
        if (!seconds) return;  // the mode is missing here
        advice_.paths.push_back({mode, schedule, {*seconds, 0, 0, 0}});
        advice_.candidates.push_back({{mode, schedule, 1}, *seconds, *seconds});
      } else {
        add_streams(mode, schedule);
      }
    }
  }

  void add_streams(const std::string& mode, Schedule schedule) {
    std::map<int, double> seconds;
    for (const int streams : samples())
      if (const auto measured = bench_.run({mode, schedule, streams})) seconds[streams] = *measured;
    if (seconds.empty()) return;
    const transfer::StreamModel model = transfer::fit_streams(seconds);
    advice_.residual = std::max(advice_.residual, model.residual);
    advice_.paths.push_back({mode, schedule, model});
    for (const int streams : options_.streams) {
      TransferCandidate& candidate =
          advice_.candidates.emplace_back(TransferChoice{mode, schedule, streams}, model.seconds(streams));
      if (const auto known = seconds.find(streams); known != seconds.end())
        candidate.measured = known->second;
    }
  }

  void confirm() {
    const std::size_t count =
        std::min(static_cast<std::size_t>(options_.confirmed), advice_.candidates.size());
    std::size_t confirmed = 0;
    for (; confirmed < count; ++confirmed) {
      TransferCandidate& candidate = advice_.candidates[confirmed];
      const auto measured = bench_.run(candidate.choice);
      if (!measured) break;  // no time is left
      candidate.measured = *measured;
    }
    std::stable_sort(advice_.candidates.begin(),
                     advice_.candidates.begin() + static_cast<std::ptrdiff_t>(confirmed),
                     [](const auto& a, const auto& b) { return a.seconds() < b.seconds(); });
  }

  const TransferOptions& options_;
  TransferBench& bench_;
  TransferAdvice advice_;
};

}  // namespace

TransferAdvice advise_transfer(const TransferOptions& options, TransferBench& bench) {
  return TransferAdviser(options, bench).run();
}

}  // namespace haloheap::advise
