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

}  // namespace

Explored explore(const std::function<Trial()>& make, const Exploration& limits) {
  DepthFirst schedule(limits.preemptions);
  Fibers fibers;
  fibers.trace(true);
  Explored result;
  do {
    if (result.trials == limits.most_trials) return result;
    ++result.trials;
    const Trial trial = make();
    try {
      fibers.run(trial.lanes, schedule, limits.most_steps);
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

}  // namespace haloheap::emulation
