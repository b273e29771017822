// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/lanes/emulated_warp.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <utility>

namespace haloheap::emulation {
namespace {

using Mask = Lanes::Mask;
constexpr unsigned max_lanes = EmulatedPlatform::warp_size;

Mask bit(unsigned lane) {
  return Mask{1} << lane;
}
bool has(Mask mask, unsigned lane) {
  return lane < max_lanes && (mask & bit(lane)) != 0;
}

struct Waiting {
  unsigned lane;
  std::source_location place;
  std::shared_ptr<Group> group;
};

bool same(const std::source_location& a, const std::source_location& b) {
  return a.line() == b.line() && a.column() == b.column() &&
         std::string_view(a.file_name()) == b.file_name() &&
         std::string_view(a.function_name()) == b.function_name();
}

struct Warp {
  unsigned number = 0, first_fiber = 0;
  Mask ended = 0;
  std::vector<Waiting*> waiting;     ///< in here()
  std::vector<Group*> meeting;       ///< those of which some lanes wait for others
  std::shared_ptr<Group> everybody;  ///< its lanes, whoever waits where

  std::string name(unsigned lane) const { return fmt::format("warp {}: lane {}", number, lane); }
  void gather(Waiting& first);
  void end(unsigned lane);
};

thread_local std::vector<Warp>* warps = nullptr;
thread_local unsigned lanes_a_warp = 0;

}  // namespace

/// Lanes that came together, and what they are about to do together.
class Group {
 public:
  Group(Warp& warp, Mask mask) : warp_(warp), mask_(mask) {}
  Mask mask() const { return mask_; }

  using Values = std::array<std::uint64_t, max_lanes>;

  /// Waits for all lanes; then `combine(result, lane)` gives each its own.
  template <class Combine>
  std::uint64_t meet(unsigned lane, const char* call, std::uint64_t value, const Combine& combine) {
    values_[lane] = value;
    if (mask_ == bit(lane)) return combine(values_, sources_, lane);
    Fibers& fibers = Fibers::running();
    fibers.step();
    arrive(lane, call);
    if (arrived_ != mask_) {
      fibers.block();
      return results_[lane];
    }
    for (unsigned other = 0; other < max_lanes; ++other)
      if (has(mask_, other)) results_[other] = combine(values_, sources_, other);
    arrived_ = 0;
    warp_.meeting.erase(std::find(warp_.meeting.begin(), warp_.meeting.end(), this));
    for (unsigned other = 0; other < max_lanes; ++other)
      if (has(mask_, other) && other != lane) fibers.wake(warp_.first_fiber + other);
    return results_[lane];
  }

  std::uint64_t shuffle(unsigned lane, std::uint64_t word, unsigned source) {
    if (!has(mask_, source))
      Fibers::running().fail(fmt::format("{} asks for the value of lane {}, which is not of its group {:#x}",
                                         warp_.name(lane), source, mask_));
    sources_[lane] = source;
    return meet(lane, "shuffle", word,
                [](const Values& values, const auto& sources, unsigned l) { return values[sources[l]]; });
  }

  std::string first_waiting() const {
    return fmt::format("lane {} waits in {}", std::countr_zero(arrived_), call_);
  }

 private:
  void arrive(unsigned lane, const char* call) {
    if ((warp_.ended & mask_) != 0)
      Fibers::running().fail(fmt::format("{} calls {} with lane {}, which has ended", warp_.name(lane), call,
                                         std::countr_zero(warp_.ended & mask_)));
    if (arrived_ == 0) {
      call_ = call;
      warp_.meeting.push_back(this);
    } else if (std::string_view(call_) != call) {
      Fibers::running().fail(fmt::format("{} calls {} where {}", warp_.name(lane), call, first_waiting()));
    }
    arrived_ |= bit(lane);
  }

  Warp& warp_;
  Mask mask_, arrived_ = 0;
  const char* call_ = "";
  Values values_{}, results_{};
  std::array<unsigned, max_lanes> sources_{};
};

namespace {

void Warp::gather(Waiting& first) {
  Schedule& schedule = Fibers::running().schedule();
  const std::uint32_t all = schedule.random() % 2;
  Mask mask = bit(first.lane);
  std::vector<Waiting*> left, chosen;
  for (Waiting* lane : waiting) {
    const bool comes =
        lane == &first || (same(lane->place, first.place) && (all == 0 || schedule.random() % 2 == 0));
    (comes ? chosen : left).push_back(lane);
    if (comes) mask |= bit(lane->lane);
  }
  waiting = std::move(left);
  const auto group = std::make_shared<Group>(*this, mask);
  for (Waiting* lane : chosen) lane->group = group;
}

void Warp::end(unsigned lane) {
  ended |= bit(lane);
  for (const Group* group : meeting)
    if (has(group->mask(), lane))
      Fibers::running().fail(fmt::format("{} ends where {}", name(lane), group->first_waiting()));
}

}  // namespace

Lanes Lanes::here(std::source_location place) {
  if (warps == nullptr) {
    static thread_local Warp nobody;  // no lane waits in a group of one
    return {std::make_shared<Group>(nobody, 1), 0};
  }
  Fibers& fibers = Fibers::running();
  Warp& warp = (*warps)[fibers.self() / lanes_a_warp];
  Waiting me{fibers.self() % lanes_a_warp, place, nullptr};
  warp.waiting.push_back(&me);
  unsigned turns = fibers.schedule().random() % (2 * max_lanes);
  do fibers.step();
  while (me.group == nullptr && turns-- > 0);
  if (me.group == nullptr) warp.gather(me);
  return {me.group, me.lane};
}

Lanes Lanes::whole_warp() {
  if (warps == nullptr) return here();
  const unsigned fiber = Fibers::running().self();
  const Lanes lanes((*warps)[fiber / lanes_a_warp].everybody, fiber % lanes_a_warp);
  lanes.sync();
  return lanes;
}

unsigned Lanes::rank() const {
  return static_cast<unsigned>(std::popcount(mask() & (bit(lane_) - 1)));
}

unsigned Lanes::with_rank(unsigned rank) const {
  Mask left = mask();
  while (rank-- > 0) left &= left - 1;
  return static_cast<unsigned>(std::countr_zero(left));
}

Mask Lanes::mask() const {
  return group_->mask();
}

Mask Lanes::ballot(bool vote) const {
  return static_cast<Mask>(
      group_->meet(lane_, "ballot", vote ? 1 : 0, [](const Group::Values& votes, const auto&, unsigned) {
        Mask result = 0;
        for (unsigned l = 0; l < max_lanes; ++l) result |= votes[l] != 0 ? bit(l) : 0;
        return std::uint64_t{result};
      }));
}

Mask Lanes::match(std::uint32_t key) const {
  const Mask mask = group_->mask();
  return static_cast<Mask>(
      group_->meet(lane_, "match", key, [mask](const Group::Values& keys, const auto&, unsigned lane) {
        Mask result = 0;
        for (unsigned l = 0; l < max_lanes; ++l) result |= has(mask, l) && keys[l] == keys[lane] ? bit(l) : 0;
        return std::uint64_t{result};
      }));
}

std::uint64_t Lanes::reduce_or(std::uint64_t bits) const {
  const Mask mask = group_->mask();
  return group_->meet(lane_, "reduce_or", bits, [mask](const Group::Values& values, const auto&, unsigned) {
    std::uint64_t result = 0;
    for (unsigned l = 0; l < max_lanes; ++l) result |= has(mask, l) ? values[l] : 0;
    return result;
  });
}

void Lanes::sync() const {
  group_->meet(lane_, "sync", 0, [](const auto&, const auto&, unsigned) { return std::uint64_t{0}; });
}

std::uint64_t Lanes::shuffle_word(std::uint64_t word, unsigned lane) const {
  return group_->shuffle(lane_, word, lane);
}

void run_warps(Grid grid, Schedule& schedule, const std::function<void(unsigned thread)>& kernel,
               std::uint64_t max_steps) {
  std::vector<Warp> all(grid.warps);
  std::vector<Fibers::Program> programs;
  for (unsigned w = 0; w < grid.warps; ++w) {
    all[w].number = w;
    all[w].first_fiber = w * grid.lanes;
    const Mask mask = grid.lanes == max_lanes ? ~Mask{0} : bit(grid.lanes) - 1;
    all[w].everybody = std::make_shared<Group>(all[w], mask);
    for (unsigned lane = 0; lane < grid.lanes; ++lane)
      programs.push_back([&, w, lane] {
        kernel(w * grid.lanes + lane);
        all[w].end(lane);
      });
  }
  // Kept from run to run for their stacks.
  static thread_local Fibers fibers;
  const auto old_warps = std::exchange(warps, &all);
  const auto old_lanes = std::exchange(lanes_a_warp, grid.lanes);
  const auto restore =
      std::shared_ptr<void>(nullptr, [&](void*) { warps = old_warps, lanes_a_warp = old_lanes; });
  fibers.run(std::move(programs), schedule, max_steps);
}

}  // namespace haloheap::emulation
