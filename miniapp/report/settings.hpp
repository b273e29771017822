// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_SETTINGS_HPP
#define HALOHEAP_MINIAPP_REPORT_SETTINGS_HPP

#include <haloheap/miniapp/deck/value.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace haloheap::report {

/// Deck keys ("halo.depth") with their values, in the deck's order.
using Settings = std::vector<std::pair<std::string, deck::Value>>;

/// The value of a key, or nullptr when the settings do not have it.
const deck::Value* find(const Settings& settings, std::string_view key);

/// "halo.depth=4 halo.exchange=sync", the label of a point in progress lines and messages.
std::string label_of(const Settings& settings);

}  // namespace haloheap::report

#endif
