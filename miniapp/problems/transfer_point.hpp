// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_TRANSFER_POINT_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_TRANSFER_POINT_HPP

#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/transfer_measurement.hpp>

#include <functional>

namespace haloheap {

/// Arrays of a point: how many the host has, and how many of them travel up and down.
struct TransferTraffic {
  int arrays = 1, up = 1, down = 1;
};

/// What a point of a problem that transfers would take, for --dry-run.
std::string plan_transfer(const deck::Deck& deck, int ranks, const TransferTraffic& traffic);

/// Runs one point, with what all problems that transfer have in common: memory as the deck has it, and the
/// report's point with times, rates and bound. `work` is called with what memory comes from, once, and gives
/// the work.
report::Point run_transfer_point(
    const RunContext& context, const TransferTraffic& traffic,
    const std::function<TransferWork(const TransferSettings& settings,
                                     const transfer::ResourceMaker& resources, report::Point& point)>& work);

}  // namespace haloheap

#endif
