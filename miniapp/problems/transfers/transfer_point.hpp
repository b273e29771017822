// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_TRANSFER_POINT_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_TRANSFER_POINT_HPP

#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_measurement.hpp>

#include <functional>
#include <map>
#include <string>

namespace haloheap {

/// Arrays of a point: how many the host has, and how many of them are copied to the device and back.
struct TransferTraffic {
  int arrays = 1, h2d = 1, d2h = 1;
};

/// What a point of a problem that transfers would take, for --dry-run.
std::string plan_transfer(const deck::Deck& deck, int ranks, const TransferTraffic& traffic);

/// What TransferRunner measures.
report::QuantityList transfer_quantities();

/// Runs one point of a problem on one rank, with memory as the deck has it: `run` fills in what it measured,
/// and memory_use() is added.
/// `arrays` arrays are needed on either side.
report::Point run_link_point(
    const RunContext& context, const TransferSettings& settings, int arrays,
    const std::function<void(const transfer::ResourceMaker& resources, report::Point& point)>& run);

/// Of points whose link is emulated.
inline constexpr const char* emulated_link_note =
    "the link is emulated: the time is what it would take by section link of the deck";

/// What decides what a run does and how long its engines take alone: the same for all modes and schedules.
std::string work_key(const deck::Deck& deck);

/// What all problems that transfer have in common.
class TransferRunner {
 public:
  /// Gives a point's work, and may add to the point. Memory comes from `resources`.
  using ChooseWork = std::function<TransferWork(
      const TransferSettings& settings, const transfer::ResourceMaker& resources, report::Point& point)>;

  /// Runs one point: memory as the deck has it, and the report's point with times, rates and bound.
  report::Point run(const RunContext& context, const TransferTraffic& traffic, const ChooseWork& choose);

 private:
  std::map<std::string, EngineSeconds>
      alone_;  // by work_key: measured once, so that all modes have one bound
};

}  // namespace haloheap

#endif
