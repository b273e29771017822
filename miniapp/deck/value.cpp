// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/deck/value.hpp>

#include <fmt/format.h>

#include <array>

namespace haloheap::deck {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\u{:04X}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

struct Writer {
  bool quotes;

  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const {
    return value == automatic ? (*this)(std::string("auto")) : fmt::format("{}", value);
  }
  std::string operator()(double value) const {
    std::string text = fmt::format("{}", value);
    // TOML tells reals from integers by the dot or the exponent.
    if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
    return text;
  }
  std::string operator()(const std::string& value) const { return quotes ? quoted(value) : value; }

  template <class Element>
  std::string operator()(const std::vector<Element>& values) const {
    std::string out = "[";
    for (const Element& value : values) {
      if (out.size() > 1) out += ", ";
      out += (*this)(value);
    }
    return out + "]";
  }
};

}  // namespace

static_assert(std::variant_size_v<Value> == static_cast<std::size_t>(Type::texts) + 1);

bool is_automatic(const Value& value) noexcept {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer == automatic;
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && *text == "auto";
}

Type type_of(const Value& value) noexcept {
  return static_cast<Type>(value.index());
}

bool is_list(Type type) noexcept {
  return type >= Type::integers;
}

Type element_of(Type type) noexcept {
  switch (type) {
    case Type::integers:
      return Type::integer;
    case Type::reals:
      return Type::real;
    case Type::texts:
      return Type::text;
    default:
      return type;
  }
}

std::string_view in_words(Type type) noexcept {
  constexpr std::array<std::string_view, std::variant_size_v<Value>> words = {
      "true or false",          "an integer",       "a real number", "a string", "a list of integers",
      "a list of real numbers", "a list of strings"};
  return words.at(static_cast<std::size_t>(type));
}

std::string to_toml(const Value& value) {
  return std::visit(Writer{true}, value);
}

std::string to_string(const Value& value) {
  return std::visit(Writer{false}, value);
}

}  // namespace haloheap::deck
