// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/bandwidth_run.hpp>

#include <fmt/format.h>

#include <set>

namespace haloheap {
namespace {

BandwidthPath read_path(const deck::Deck& deck) {
  const auto name = deck.get<std::string>("bandwidth.path");
  if (name == "up") return BandwidthPath::up;
  if (name == "down") return BandwidthPath::down;
  if (name == "both") return BandwidthPath::both;
  return name == "device" ? BandwidthPath::device : BandwidthPath::peer;
}

/// Modes without copies leave them to kernels; and kernels do not reach all memory.
void check_mode(const deck::Deck& deck, const BandwidthSettings& settings) {
  static const std::set<std::string> without_copies{"managed_advise", "mapped", "system"};
  static const std::set<std::string> unreached{"pageable", "staged"};
  const std::string& mode = settings.transfer.mode;
  if (!settings.by_kernel && without_copies.contains(mode))
    deck.reject("transfer.mode", fmt::format("mode '{}' copies nothing by itself", mode),
                "use bandwidth.by = \"kernel\"");
  if (settings.by_kernel && unreached.contains(mode))
    deck.reject("transfer.mode", fmt::format("kernels do not reach the memory of mode '{}'", mode),
                "use bandwidth.by = \"copies\", or mode mapped or system");
  if (mode == "managed" || (mode == "managed_prefetch" && settings.by_kernel))
    deck.reject(
        "transfer.mode",
        fmt::format("pages of mode '{}' go where they are touched: copies in a row would move them once",
                    mode),
        "use mode managed_prefetch by copies, managed_advise by kernel, or problem = \"transfer\"");
  if (mode == "graph" || mode == "stream_ordered")
    deck.reject("transfer.mode", fmt::format("mode '{}' is of whole runs, and here are copies alone", mode),
                "use mode pinned, which copies as it does");
}

/// Copies between devices do not use it, so it cannot be emulated.
void no_link(const deck::Deck& deck, BandwidthSettings& settings) {
  if (deck.get<std::string>("link.kind") == "emulated")
    deck.reject("link.kind", "copies in memory of devices do not use the link", "use link.kind = \"auto\"");
  settings.transfer.emulated = false;
}

}  // namespace

BandwidthSettings read_bandwidth(const deck::Deck& deck) {
  BandwidthSettings settings;
  settings.transfer = read_transfer(deck);
  settings.transfer.streams = 2;  // one for each direction
  settings.path = read_path(deck);
  settings.by_kernel = deck.get<std::string>("bandwidth.by") == "kernel";
  settings.count = static_cast<int>(deck.get<std::int64_t>("bandwidth.count"));
  if (settings.path == BandwidthPath::device || settings.path == BandwidthPath::peer) {
    no_link(deck, settings);
  } else {
    check_mode(deck, settings);
    if (settings.transfer.mode == "managed_prefetch") settings.count = 1;  // what has moved stays there
  }
  return settings;
}

}  // namespace haloheap
