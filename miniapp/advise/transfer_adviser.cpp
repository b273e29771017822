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
    for (const std::string& mode : options_.modes) add_one_stream(mode);
    for (const std::string& mode : options_.modes) add_schedules(mode);
    std::stable_sort(advice_.candidates.begin(), advice_.candidates.end(),
                     [](const auto& a, const auto& b) { return a.seconds() < b.seconds(); });
    confirm();
    return std::move(advice_);
  }

 private:
  /// From the fewest on, evenly by factors. Very many streams cost a device more to make than they say.
  std::set<int> samples() const {
    const auto& all = options_.streams;
    std::set<int> chosen;
    for (const std::size_t i : {std::size_t{0}, all.size() / 4, all.size() / 2, 3 * all.size() / 4})
      chosen.insert(all[i]);
    return chosen;
  }

  bool open(Schedule schedule) const {
    return std::find(options_.schedules.begin(), options_.schedules.end(), schedule) !=
           options_.schedules.end();
  }

  void add_one_stream(const std::string& mode) {
    if (!open(Schedule::none)) return;
    const auto seconds = bench_.run({mode, Schedule::none, 1});
    if (!seconds) return;  // the mode is missing here
    one_stream_[mode] = *seconds;
    advice_.paths.push_back({mode, Schedule::none, {*seconds, 0, 0, 0}});
    advice_.candidates.push_back({{mode, Schedule::none, 1}, *seconds, *seconds});
  }

  /// Three engines side by side are at most three times as fast: what is slower than that needs no look.
  bool may_win(const std::string& mode) const {
    if (!open(Schedule::none)) return true;
    const auto own = one_stream_.find(mode);
    const auto slower = [](const auto& a, const auto& b) { return a.second < b.second; };
    return own != one_stream_.end() &&
           own->second / 3 < std::min_element(one_stream_.begin(), one_stream_.end(), slower)->second;
  }

  void add_schedules(const std::string& mode) {
    for (const Schedule schedule : options_.schedules)
      if (schedule != Schedule::none && may_win(mode)) add_streams(mode, schedule);
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
      TransferCandidate candidate{{mode, schedule, streams}, model.seconds(streams), {}};
      if (const auto known = seconds.find(streams); known != seconds.end())
        candidate.measured = known->second;
      advice_.candidates.push_back(candidate);
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
  std::map<std::string, double> one_stream_;  // seconds, by mode
  TransferAdvice advice_;
};

}  // namespace

TransferAdvice advise_transfer(const TransferOptions& options, TransferBench& bench) {
  return TransferAdviser(options, bench).run();
}

}  // namespace haloheap::advise
