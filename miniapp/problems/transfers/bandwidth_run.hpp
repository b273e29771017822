// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_BANDWIDTH_RUN_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_BANDWIDTH_RUN_HPP

#include <haloheap/core/base/names.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_settings.hpp>

#include <functional>
#include <string>
#include <vector>

namespace haloheap {

enum class BandwidthPath { h2d, d2h, both, device, peer };

constexpr auto names_of(BandwidthPath) {
  return name_table<BandwidthPath>("path", {{BandwidthPath::h2d, "h2d"},
                                            {BandwidthPath::d2h, "d2h"},
                                            {BandwidthPath::both, "both"},
                                            {BandwidthPath::device, "device"},
                                            {BandwidthPath::peer, "peer"}});
}

/// Who moves the bytes (deck: bandwidth.by).
enum class CopiedBy { copies, kernel };

constexpr auto names_of(CopiedBy) {
  return name_table<CopiedBy>("mover", {{CopiedBy::copies, "copies"}, {CopiedBy::kernel, "kernel"}});
}

/// The section bandwidth, and of transfer what it uses: mode, bytes and link.
struct BandwidthSettings {
  TransferSettings transfer;
  BandwidthPath path = BandwidthPath::h2d;
  bool by_kernel = false;
  int count = 1;
};

/// Names of quantities of its points that others read.
struct BandwidthFigures {
  static constexpr const char *rate = "figures.gb_per_s", *single = "figures.single_us";
};

/// @throws UsageError with the place in the deck
BandwidthSettings read_bandwidth(const deck::Deck& deck);

/// One entry a repetition.
struct BandwidthResult {
  std::vector<double> seconds;   ///< of all copies in a row, of both directions from the first to the last
  std::vector<double> h2d, d2h;  ///< of the direction alone, while the other may go on; empty: not used
  std::vector<double> single;    ///< host's seconds for one copy, from the call until it is done
  std::size_t wrong = 0;         ///< bytes that did not arrive, at the end
  std::string not_held = {};  ///< why the host's time to enqueue copies is in their time; empty if it is not
};

/// @throws CapabilityError for a path or a mode that is missing here
BandwidthResult run_bandwidth(const BandwidthSettings& settings, const transfer::ResourceMaker& resources,
                              const std::function<void()>& done);

}  // namespace haloheap

#endif
