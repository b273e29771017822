// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_DECK_VALUE_HPP
#define HALOHEAP_MINIAPP_DECK_VALUE_HPP

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace haloheap::deck {

/// What one key of one point of the sweep holds.
using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                           std::vector<double>, std::vector<std::string>>;

/// The alternatives of Value, in its order.
enum class Type { boolean, integer, real, text, integers, reals, texts };

/// The integer that stands for "auto" where a key may leave its value to haloheap.
inline constexpr std::int64_t automatic = std::numeric_limits<std::int64_t>::min();

/// Whether a value is "auto", as an integer or as a string.
bool is_automatic(const Value& value) noexcept;

/// The type of a value.
Type type_of(const Value& value) noexcept;

/// True for the three list types.
bool is_list(Type type) noexcept;

/// The type of the elements of a list; a scalar type is its own.
Type element_of(Type type) noexcept;

/// A type in words with its article: "an integer", "a list of strings".
std::string_view in_words(Type type) noexcept;

/// A value as TOML, exact to the last bit: `true`, `4`, `0.1`, `"pinned"`, `[1024, 1024]`.
std::string to_toml(const Value& value);

/// A value for tables and labels: as TOML, but strings without quotes.
std::string to_string(const Value& value);

}  // namespace haloheap::deck

#endif
