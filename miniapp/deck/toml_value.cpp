// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/deck/toml_value.hpp>
#include <haloheap/miniapp/deck/words.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace haloheap::deck {
namespace {

std::string found(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "the string " + to_toml(node.as_string()->get());
    case toml::node_type::integer:
      return fmt::format("the integer {}", node.as_integer()->get());
    case toml::node_type::floating_point:
      return "the real number " + to_toml(node.as_floating_point()->get());
    case toml::node_type::boolean:
      return fmt::format("the boolean {}", node.as_boolean()->get());
    default:
      return "a date or time";
  }
}

/// One entry of a list, or a scalar, as the type of the key; nothing if it is of another type.
template <class Element>
std::optional<Element> read_as(const toml::node& node) {
  if constexpr (std::is_same_v<Element, double>) {
    if (const auto* integer = node.as_integer()) return static_cast<double>(integer->get());
  }
  if (const auto* exact = node.as<Element>()) return exact->get();
  return {};
}

template <class Element>
std::optional<Value> read_list(const toml::node& node) {
  std::vector<Element> values;
  for (const toml::node& entry : *node.as_array()) {
    std::optional<Element> value = read_as<Element>(entry);
    if (!value) return {};
    values.push_back(*std::move(value));
  }
  return values;
}

std::optional<Value> read_one(Type type, const toml::node& node) {
  if (is_list(type) && !node.is_array()) return {};
  switch (type) {
    case Type::boolean:
      return read_as<bool>(node);
    case Type::integer:
      return read_as<std::int64_t>(node);
    case Type::real:
      return read_as<double>(node);
    case Type::text:
      return read_as<std::string>(node);
    case Type::integers:
      return read_list<std::int64_t>(node);
    case Type::reals:
      return read_list<double>(node);
    case Type::texts:
      return read_list<std::string>(node);
  }
  return {};
}

/// A list sweeps a scalar; a list that has lists in it sweeps a list.
bool is_sweep(const Key& key, const toml::node& node) {
  const toml::array* list = node.as_array();
  if (list == nullptr) return false;
  if (!is_list(key.type())) return true;
  return std::any_of(list->begin(), list->end(), [](const toml::node& entry) { return entry.is_array(); });
}

std::string wrong_type(const Key& key, const toml::node& node) {
  const std::string_view expected = in_words(key.type());
  if (!is_list(key.type()) || !node.is_array()) {
    return fmt::format("expected {}, found {}", expected, found(node));
  }
  const toml::array& list = *node.as_array();
  const auto wrong = std::find_if(list.begin(), list.end(), [&](const toml::node& entry) {
    return !read_one(element_of(key.type()), entry);
  });
  return fmt::format("expected {}, found a list with {}", expected, found(*wrong));
}

/// "auto" of an integer key is no integer in TOML.
std::optional<Value> read_key(const Key& key, const toml::node& node) {
  if (key.may_be_auto && key.type() == Type::integer && read_as<std::string>(node) == "auto")
    return automatic;
  return read_one(key.type(), node);
}

void read_point(const Key& key, const toml::node& node, const Origin& origin, Findings& findings,
                std::vector<Setting>& settings) {
  const std::optional<Value> value = read_key(key, node);
  if (!value) {
    const std::string allowed = key.allowed();
    const std::string hint = allowed.empty() ? "" : fmt::format(" (allowed: {})", allowed);
    findings.add(origin, key.name, wrong_type(key, node) + hint);
  } else if (const auto wrong = violation(key, *value)) {
    findings.add(origin, key.name, *wrong);
  } else {
    settings.push_back({*value, origin});
  }
}

/// The text as one TOML value. It must be a value both alone and in a list: so a comment or a comma cannot
/// hide what comes after it. The text has no newline.
toml::array parse_exact(const std::string& text) {
  try {
    [[maybe_unused]] const toml::table alone = toml::parse("value = " + text);
    toml::table listed = toml::parse("value = [" + text + " ]");
    toml::array* list = listed["value"].as_array();
    if (list != nullptr && list->size() == 1) return std::move(*list);
  } catch (const toml::parse_error&) {
    // Not TOML as it stands: the caller tries it as a bare word.
  }
  return {};
}

/// `[pinned, pageable]` with its entries quoted; nested brackets stay.
std::string quote_entries(std::string_view text) {
  std::string out;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find_first_of("[],", begin), text.size());
    const std::string entry = trim(text.substr(begin, end - begin));
    if (!entry.empty()) out += to_toml(entry);
    if (end < text.size()) out += text[end];
    begin = end + 1;
  }
  return out;
}

}  // namespace

Origin origin_of(const toml::source_region& region, const std::string& source) {
  return {source, region.begin.line, region.begin.column};
}

std::vector<Setting> read_values(const Key& key, const toml::node& node, const Origin& origin,
                                 Findings& findings) {
  std::vector<Setting> settings;
  if (!is_sweep(key, node)) {
    read_point(key, node, origin, findings, settings);
    return settings;
  }
  const toml::array& list = *node.as_array();
  if (list.empty())
    findings.add(origin, key.name, fmt::format("expected {}, found an empty list", in_words(key.type())));
  for (const toml::node& entry : list) {
    const Origin place = origin.line == 0 ? origin : origin_of(entry.source(), origin.source);
    read_point(key, entry, place, findings, settings);
  }
  return settings;
}

toml::array parse_bare(const Key& key, const std::string& text) {
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (text.empty() || std::any_of(text.begin(), text.end(), control)) return {};
  const bool is_text = element_of(key.type()) == Type::text;
  toml::array parsed = parse_exact(text);
  if (!parsed.empty() && (!is_text || parsed[0].is_string() || parsed[0].is_array())) return parsed;
  const bool has_quotes = text.find_first_of("\"'") != std::string::npos;
  if (has_quotes) return parsed;
  if (text.front() == '[') return parsed.empty() ? parse_exact(quote_entries(text)) : parsed;
  return parse_exact(to_toml(text));
}

}  // namespace haloheap::deck
