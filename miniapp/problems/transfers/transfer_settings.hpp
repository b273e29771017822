// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_TRANSFER_SETTINGS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_TRANSFER_SETTINGS_HPP

#include <haloheap/core/base/names.hpp>
#include <haloheap/core/transfer/device_streams.hpp>
#include <haloheap/core/transfer/link_model.hpp>
#include <haloheap/core/transfer/pipeline.hpp>
#include <haloheap/miniapp/deck/deck.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace haloheap {

/// Of the link between host and device (deck: link.kind).
enum class LinkKind { automatic, real, emulated };

constexpr auto names_of(LinkKind) {
  return name_table<LinkKind>(
      "link", {{LinkKind::automatic, "auto"}, {LinkKind::real, "real"}, {LinkKind::emulated, "emulated"}});
}

/// How long the kernel of problem transfer takes beside the copies (deck: transfer.bound).
enum class Bound { communication, balanced, compute, none };

constexpr auto names_of(Bound) {
  return name_table<Bound>("bound", {{Bound::communication, "communication"},
                                     {Bound::balanced, "balanced"},
                                     {Bound::compute, "compute"},
                                     {Bound::none, "none"}});
}

/// The transfer mode of problems that need none.
inline constexpr const char* no_transfer_mode = "none";

/// What any problem can be told about the way between host and device.
struct TransferChoice {
  std::string mode;
  transfer::Schedule schedule = transfer::Schedule::none;
  int streams = 1;  ///< those that are used

  bool any() const { return mode != no_transfer_mode; }
};

TransferChoice read_transfer_choice(const deck::Deck& deck);

/// The sections transfer and link of a deck.
struct TransferSettings : TransferChoice {
  std::size_t rows = 0;  ///< floats of an array
  bool emulated = false;
  bool bind = true;  ///< to the device's NUMA node
  transfer::LinkModel link;
  int repetitions = 1, warm_ups = 0;
};

/// Of a problem that measures a mode. @throws UsageError with the place in the deck
TransferSettings read_transfer(const deck::Deck& deck);

/// As many streams as the settings have, on the link that they name.
std::unique_ptr<transfer::Streams> make_streams(const TransferSettings& settings,
                                                transfer::Trace trace = transfer::Trace::off);

/// Adds the section transfer with what any problem can take: mode, schedule and streams.
void add_transfer_mode_keys(deck::Schema& schema);

/// Adds the rest of section transfer, which is of problems that measure transfers, and the section link.
void add_transfer_keys(deck::Schema& schema);

}  // namespace haloheap

#endif
