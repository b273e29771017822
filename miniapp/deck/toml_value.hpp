// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_DECK_TOML_VALUE_HPP
#define HALOHEAP_MINIAPP_DECK_TOML_VALUE_HPP

#include <haloheap/miniapp/deck/findings.hpp>

#include <toml++/toml.h>

#include <string>
#include <vector>

namespace haloheap::deck {

/// The place of a node or key of the file `source`.
Origin origin_of(const toml::source_region& region, const std::string& source);

/// The values that a node gives to a key: one, or one for each entry if it is a list of them. What is wrong
/// goes to `findings`, and the wrong values are left out. `origin` is where the node stands; entries of a
/// list have their own places if it has a line.
std::vector<Setting> read_values(const Key& key, const toml::node& node, const Origin& origin,
                                 Findings& findings);

/// The TOML of one `key=value` of the command line. Bare words are strings, also in lists: `pinned`,
/// `[pinned, pageable]`. For keys that hold strings anything but a list is a string. The result is an array
/// with the value as its only entry, or empty if it cannot be read.
toml::array parse_bare(const Key& key, const std::string& text);

}  // namespace haloheap::deck

#endif
