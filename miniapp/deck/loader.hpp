// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_DECK_LOADER_HPP
#define HALOHEAP_MINIAPP_DECK_LOADER_HPP

#include <haloheap/miniapp/deck/sweep.hpp>

#include <string>
#include <vector>

namespace haloheap::deck {

/// Reads a deck and puts the `key=value` overrides in the place of its values. Throws one UsageError that
/// lists all that is wrong with both, each with its place, its key, and the nearest valid one or what is
/// allowed.
Sweep load(Schema schema, const std::string& path, const std::vector<std::string>& overrides = {});

/// The same for the text of a deck; `path` stands in its messages.
Sweep load_text(Schema schema, const std::string& text, const std::string& path,
                const std::vector<std::string>& overrides = {});

}  // namespace haloheap::deck

#endif
