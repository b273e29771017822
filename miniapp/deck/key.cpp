// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/deck/key.hpp>
#include <haloheap/miniapp/deck/words.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace haloheap::deck {
namespace {

bool empty_list(const Value& value) {
  return std::visit(
      [](const auto& held) {
        if constexpr (requires { held.empty(); })
          return !std::is_same_v<std::decay_t<decltype(held)>, std::string> && held.empty();
        return false;
      },
      value);
}

std::string allowed_range(const Key& key) {
  const std::string unit = key.unit.empty() ? "" : " " + key.unit;
  if (key.min && key.max) return fmt::format("{} to {}{}", *key.min, *key.max, unit);
  if (key.min) return fmt::format("at least {}{}", *key.min, unit);
  if (key.max) return fmt::format("at most {}{}", *key.max, unit);
  return "";
}

std::string allowed_length(const Key& key) {
  std::string text;
  if (key.min_length && key.max_length && *key.min_length == *key.max_length) {
    text = fmt::format("{} entries", *key.min_length);
  } else if (key.min_length && key.max_length) {
    text = fmt::format("{} to {} entries", *key.min_length, *key.max_length);
  } else if (key.min_length) {
    text = fmt::format("at least {} entries", *key.min_length);
  } else if (key.max_length) {
    text = fmt::format("at most {} entries", *key.max_length);
  }
  if (!text.empty() && key.min_length && empty_list(key.default_value)) text += " or none";
  return text;
}

/// Checks one value, or one entry of a list, against the limits of the key.
struct Check {
  const Key& key;
  using Answer = std::optional<std::string>;

  Answer operator()(bool) const { return {}; }

  Answer operator()(std::int64_t value) const {
    if (key.may_be_auto && value == automatic) return {};
    return in_range(value, static_cast<double>(value));
  }

  Answer operator()(double value) const {
    if (!std::isfinite(value)) return fmt::format("{} is not a finite number", value);
    return in_range(value, value);
  }

  Answer operator()(const std::string& value) const {
    if (key.choices.empty()) return {};
    if (std::find(key.choices.begin(), key.choices.end(), value) != key.choices.end()) return {};
    const std::string meant = nearest(value, key.choices);
    return fmt::format("{} is not a valid choice (allowed: {}; nearest: {})", to_toml(value), key.allowed(),
                       to_toml(meant));
  }

  template <class Element>
  Answer operator()(const std::vector<Element>& values) const {
    if (values.empty() && empty_list(key.default_value)) return {};
    const std::size_t length = values.size();
    if (length < key.min_length.value_or(0) || length > key.max_length.value_or(length)) {
      return fmt::format("a list of {} {} is too {} (allowed: {})", length, length == 1 ? "entry" : "entries",
                         length < key.min_length.value_or(0) ? "short" : "long", allowed_length(key));
    }
    for (const Element& value : values) {
      if (Answer wrong = (*this)(value)) return wrong;
    }
    return {};
  }

  Answer in_range(const Value& shown, double value) const {
    const bool inside = value >= key.min.value_or(value) && value <= key.max.value_or(value);
    if (inside) return {};
    return fmt::format("{} is out of range (allowed: {})", to_toml(shown), allowed_range(key));
  }
};

}  // namespace

std::string Key::leaf() const {
  return std::string(last_name(name));
}

std::string Key::allowed() const {
  std::string text = allowed_length(*this);
  std::string each = allowed_range(*this);
  if (may_be_auto && type() == Type::integer) each += ", " + to_toml(automatic);
  for (const std::string& choice : choices) each += (each.empty() ? "" : ", ") + to_toml(choice);
  if (text.empty() || each.empty()) return text + each;
  return text + ", each " + each;
}

std::optional<std::string> violation(const Key& key, const Value& value) {
  if (type_of(value) != key.type()) {
    throw InternalError(
        fmt::format("{} was given {}, but is {}", key.name, in_words(type_of(value)), in_words(key.type())));
  }
  return std::visit(Check{key}, value);
}

}  // namespace haloheap::deck
