// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_LANES_SCHEDULE_HPP
#define HALOHEAP_UNIT_CORE_LANES_SCHEDULE_HPP

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace haloheap::emulation {

/// Who goes on wherever fibers may take turns.
class Schedule {
 public:
  enum class Point {
    step,
    pause,
    end
  };  ///< before an operation; for others' sake; a fiber that cannot go on
  virtual ~Schedule() = default;

  /// The fiber of `runnable` that goes on; `current` is one of them but at `end`. At `pause` it should be
  /// another one if there is one.
  virtual unsigned next(Point point, const std::vector<unsigned>& runnable, unsigned current) = 0;
  /// For all else that is left to chance.
  virtual std::uint32_t random() = 0;
  /// How to see the same again.
  virtual std::string name() const = 0;
};

/// Any order, the same for the same seed. Turns are short for some seeds and long for others, and now and
/// then a fiber is left standing for long in the middle of what it does: most protocols break there.
class RandomSchedule final : public Schedule {
 public:
  explicit RandomSchedule(std::uint32_t seed);
  unsigned next(Point point, const std::vector<unsigned>& runnable, unsigned current) override;
  std::uint32_t random() override { return engine_(); }
  std::string name() const override { return "seed " + std::to_string(seed_); }

 private:
  bool sleeps(unsigned fiber) const { return fiber < wakes_.size() && wakes_[fiber] > now_; }

  std::uint32_t seed_;
  std::minstd_rand engine_;
  unsigned turn_;   ///< steps, on average
  unsigned sleep_;  ///< of so many turns one ends with a long sleep
  std::uint64_t now_ = 0;
  std::vector<std::uint64_t> wakes_;
};

}  // namespace haloheap::emulation

#endif
