// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/transfers/bandwidth_run.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

/// Modes without copies leave them to kernels; and kernels do not reach all memory.
void check_mode(const deck::Deck& deck, const BandwidthSettings& settings) {
  using enum transfer::Movement;
  const transfer::ModeEntry& entry = transfer::modes().at(settings.transfer.mode);
  const std::string& mode = entry.name;
  if (!settings.by_kernel && entry.movement == in_place)
    deck.reject("transfer.mode", fmt::format("mode '{}' copies nothing by itself", mode),
                "use bandwidth.by = \"kernel\"");
  if (settings.by_kernel && !entry.kernels_reach)
    deck.reject("transfer.mode", fmt::format("kernels do not reach the memory of mode '{}'", mode),
                "use bandwidth.by = \"copies\", or mode mapped or system");
  if (entry.movement == on_touch || (entry.movement == pages_sent && settings.by_kernel))
    deck.reject(
        "transfer.mode",
        fmt::format("pages of mode '{}' go where they are touched: copies in a row would move them once",
                    mode),
        "use mode managed_prefetch by copies, managed_advise by kernel, or problem = \"transfer\"");
  if (entry.whole_runs)
    deck.reject("transfer.mode", fmt::format("mode '{}' is of whole runs, and here are copies alone", mode),
                "use mode pinned, which copies as it does");
}

/// Copies between devices do not use it, so it cannot be emulated.
void no_link(const deck::Deck& deck, BandwidthSettings& settings) {
  if (deck.choice<LinkKind>("link.kind") == LinkKind::emulated)
    deck.reject("link.kind", "copies in memory of devices do not use the link", "use link.kind = \"auto\"");
  settings.transfer.emulated = false;
}

}  // namespace

BandwidthSettings read_bandwidth(const deck::Deck& deck) {
  BandwidthSettings settings;
  settings.transfer = read_transfer(deck);
  settings.transfer.streams = 2;  // one for each direction
  settings.path = deck.choice<BandwidthPath>("bandwidth.path");
  settings.by_kernel = deck.choice<CopiedBy>("bandwidth.by") == CopiedBy::kernel;
  settings.count = static_cast<int>(deck.get<std::int64_t>("bandwidth.count"));
  if (settings.path == BandwidthPath::device || settings.path == BandwidthPath::peer) {
    no_link(deck, settings);
  } else {
    check_mode(deck, settings);
    const bool once = transfer::modes().at(settings.transfer.mode).movement == transfer::Movement::pages_sent;
    if (once) settings.count = 1;  // what has moved stays there
  }
  return settings;
}

}  // namespace haloheap
