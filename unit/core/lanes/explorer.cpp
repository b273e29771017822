// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/lanes/explorer.hpp>

#include <algorithm>
#include <array>

namespace haloheap::emulation {
namespace {

/// Goes through the tree of all choices, a leaf a run.
class DepthFirst final : public Schedule {
 public:
  explicit DepthFirst(unsigned preemptions) : preemptions_(preemptions) {}

  unsigned next(Point point, const std::vector<unsigned>& runnable, unsigned current) override {
    for (Set& others : waits_for_) others &= ~set(current);
    if (point == Point::pause)
      for (const unsigned fiber : runnable) waits_for_.at(current) |= set(fiber) & ~set(current);
    std::vector<unsigned>& options = options_;
    options.clear();
    if (point == Point::step) options.push_back(current);
    if (point != Point::step || used_ < preemptions_)
      for (const unsigned fiber : runnable)
        if ((point == Point::end || fiber != current) && waits_for_.at(fiber) == 0) options.push_back(fiber);
    if (options.empty()) return runnable.front() == current ? runnable.back() : runnable.front();
    std::sort(options.begin() + (point == Point::step ? 1 : 0), options.end());
    const std::size_t chosen = choose(options.size());
    if (point == Point::step && chosen > 0) ++used_;
    return options[chosen];
  }
  std::uint32_t random() override { return 0; }
  std::string name() const override { return "an order"; }

  /// To the next leaf; false if there is none.
  bool advance() {
    while (!path_.empty() && path_.back().chosen + 1 == path_.back().options) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().chosen;
    depth_ = 0;
    used_ = 0;
    waits_for_ = {};
    return true;
  }

 private:
  using Set = std::uint32_t;
  static Set set(unsigned fiber) { return Set{1} << fiber; }

  struct Choice {
    std::size_t chosen, options;
  };

  std::size_t choose(std::size_t options) {
    if (options == 1) return 0;
    if (depth_ == path_.size()) path_.push_back({0, options});
    if (path_[depth_].options != options) throw std::logic_error("a trial is not like the one before");
    return path_[depth_++].chosen;
  }

  unsigned preemptions_, used_ = 0;
  /// Who pauses does so until all others have had a turn: two lanes that wait for a third one would otherwise
  /// hand over to each other for ever.
  std::array<Set, 32> waits_for_{};
  std::vector<Choice> path_;
  std::size_t depth_ = 0;
  std::vector<unsigned> options_;
};

/// The first lane stops before its operation number stops[i], and lane i + 1 runs to its end.
class Stops final : public Schedule {
 public:
  Stops(std::size_t others, std::uint64_t max_pauses) : stops_(others), max_pauses_(max_pauses) {}

  unsigned next(Point point, const std::vector<unsigned>& runnable, unsigned current) override {
    const auto can = [&](unsigned fiber) {
      return std::find(runnable.begin(), runnable.end(), fiber) != runnable.end();
    };
    if (point == Point::pause && (current == 0 ? pauses_ > max_pauses_ : ++pauses_ > max_pauses_)) {
      made_ = stops_.size();
      if (current != 0 && can(0)) return 0;
      return runnable.front() == current ? runnable.back() : runnable.front();
    }
    if (current != 0 && point != Point::end) return current;
    while (made_ < stops_.size() && (done_ == stops_[made_] || !can(0)) && begun_) {
      const auto other = static_cast<unsigned>(++made_);
      if (can(0)) reached_ = made_;
      if (can(other)) return other;
    }
    if (!can(0)) return runnable.front();
    if (begun_) ++done_;
    begun_ = true;
    return 0;
  }
  std::uint32_t random() override { return 0; }
  std::string name() const override {
    std::string text = "stops before operations";
    for (const unsigned stop : stops_) text += " " + std::to_string(stop);
    return text;
  }

  /// To the next places; false if there are none.
  bool advance() {
    // Stops that were not reached are none: the last one that was reached moves on.
    if (reached_ == 0) return false;
    ++stops_[reached_ - 1];
    for (std::size_t i = reached_; i < stops_.size(); ++i) stops_[i] = stops_[reached_ - 1];
    made_ = reached_ = 0;
    done_ = 0;
    pauses_ = 0;
    begun_ = false;
    return true;
  }

 private:
  std::vector<unsigned> stops_;
  unsigned done_ = 0;                      ///< operations of the first lane
  std::size_t made_ = 0, reached_ = 0;     ///< of the stops, and those before the first lane's end
  std::uint64_t pauses_ = 0, max_pauses_;  // of the others
  bool begun_ = false;
};

Explored explore_with(auto& schedule, const std::function<Trial()>& make, const Exploration& limits) {
  Fibers fibers;
  fibers.trace(true);
  Explored result;
  do {
    if (result.trials == limits.max_trials) return result;
    ++result.trials;
    const Trial trial = make();
    try {
      fibers.run(trial.lanes, schedule, limits.max_steps);
      const std::string wrong = trial.verdict();
      if (!wrong.empty()) result.failure = wrong + "\n" + fibers.events();
    } catch (const Failure& error) {
      result.failure = error.what();
    }
    if (!result.failure.empty()) return result;
  } while (schedule.advance());
  result.complete = true;
  return result;
}

}  // namespace

Explored explore(const std::function<Trial()>& make, const Exploration& limits) {
  DepthFirst schedule(limits.preemptions);
  return explore_with(schedule, make, limits);
}

Explored explore_stops(const std::function<Trial()>& make, const Exploration& limits) {
  Stops schedule(make().lanes.size() - 1, limits.max_pauses);
  return explore_with(schedule, make, limits);
}

}  // namespace haloheap::emulation
