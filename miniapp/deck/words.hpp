// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_DECK_WORDS_HPP
#define HALOHEAP_MINIAPP_DECK_WORDS_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace haloheap::deck {

/// How many letters must be inserted, deleted, replaced or swapped with their neighbour to turn one word into
/// the other (the restricted Damerau-Levenshtein distance).
std::size_t edit_distance(std::string_view left, std::string_view right);

/// The candidate that a mistyped word most likely meant; the first of equals. Empty only without candidates.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

/// What stands behind the last dot of a key's name: "depth" of "halo.depth".
std::string_view last_name(std::string_view name);

/// The text without spaces and tabs around it.
std::string trim(std::string_view text);

}  // namespace haloheap::deck

#endif
