// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_DECK_KEY_HPP
#define HALOHEAP_MINIAPP_DECK_KEY_HPP

#include <haloheap/miniapp/deck/value.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace haloheap::deck {

/// Everything that is known about one key of the deck. Limits and choices hold for each entry of a list.
struct Key {
  std::string name;  ///< with its section: "halo.depth"
  Value default_value;
  std::string unit;
  std::string help;                  ///< one line
  std::optional<double> min;         ///< inclusive
  std::optional<double> max;         ///< inclusive
  std::vector<std::string> choices;  ///< none: any string
  bool may_be_auto = false;          ///< "auto" is accepted: haloheap advises itself
  bool is_seed = false;              ///< of random numbers: results name it as what they depend on
  std::optional<std::size_t> min_length;
  std::optional<std::size_t> max_length;

  Type type() const noexcept { return type_of(default_value); }

  /// The name without its section: "depth".
  std::string leaf() const;

  /// What the key accepts, in words: "1 to 1024 cells", "\"sync\", \"async\"", "2 to 3 entries, each at least
  /// 1". Empty where anything of the type goes.
  std::string allowed() const;
};

/// Why a key cannot hold a value (of its type, or InternalError); nothing if it can. An empty list passes
/// where the default is one: it then stands for a choice that haloheap makes. Infinite reals and NaN never
/// pass.
std::optional<std::string> violation(const Key& key, const Value& value);

}  // namespace haloheap::deck

#endif
