// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/deck/schema.hpp>
#include <haloheap/miniapp/deck/words.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace haloheap::deck {
namespace {

/// A key that was put into the wrong section is one step away, whatever the sections are called.
std::size_t key_distance(std::string_view wrong, std::string_view valid) {
  return std::min(edit_distance(wrong, valid), edit_distance(last_name(wrong), last_name(valid)) + 1);
}

}  // namespace

KeyBuilder& KeyBuilder::range(double min, double max) {
  key_.min = min;
  key_.max = max;
  return checked();
}

KeyBuilder& KeyBuilder::at_least(double min) {
  key_.min = min;
  return checked();
}

KeyBuilder& KeyBuilder::choices(std::vector<std::string> names) {
  // An empty list would let any string pass.
  if (names.empty()) throw InternalError(fmt::format("{} was given no choices", key_.name));
  key_.choices = std::move(names);
  return checked();
}

KeyBuilder& KeyBuilder::or_auto() {
  key_.may_be_auto = true;
  if (key_.type() == Type::text) key_.choices.emplace_back("auto");
  return checked();
}

KeyBuilder& KeyBuilder::seed() {
  key_.is_seed = true;
  return *this;
}

KeyBuilder& KeyBuilder::length(std::size_t minimum, std::size_t maximum) {
  key_.min_length = minimum;
  key_.max_length = maximum;
  return checked();
}

KeyBuilder& KeyBuilder::unit(std::string text) {
  key_.unit = std::move(text);
  return *this;
}

KeyBuilder& KeyBuilder::help(std::string text) {
  key_.help = std::move(text);
  return *this;
}

KeyBuilder& KeyBuilder::checked() {
  if (const auto wrong = violation(key_, key_.default_value)) {
    throw InternalError(fmt::format("the default of {} is not allowed: {}", key_.name, *wrong));
  }
  return *this;
}

KeyBuilder Section::add(std::string_view name, Value value) {
  const std::string full = name_.empty() ? std::string(name) : fmt::format("{}.{}", name_, name);
  const bool twice =
      std::any_of(keys_.begin(), keys_.end(), [&](const Key& key) { return key.name == full; });
  if (twice) throw InternalError(fmt::format("the schema has the key {} twice", full));
  Key key;
  key.name = full;
  key.default_value = std::move(value);
  keys_.push_back(std::move(key));
  return KeyBuilder(keys_.back());
}

Section& Schema::section(std::string_view name, std::string title) {
  if (name.find('.') != std::string_view::npos) {
    throw InternalError(fmt::format("the section name {} has a dot", name));
  }
  for (Section& section : sections_) {
    if (section.name() == name) return section;
  }
  // TOML has the keys of no table above the first table.
  if (name.empty()) return sections_.emplace_front(std::string(name), std::move(title));
  return sections_.emplace_back(std::string(name), std::move(title));
}

const Section* Schema::find_section(std::string_view name) const noexcept {
  for (const Section& section : sections_) {
    if (section.name() == name) return &section;
  }
  return nullptr;
}

const Key* Schema::find(std::string_view name) const noexcept {
  for (const Section& section : sections_) {
    for (const Key& key : section.keys()) {
      if (key.name == name) return &key;
    }
  }
  return nullptr;
}

std::vector<const Key*> Schema::keys() const& {
  std::vector<const Key*> all;
  for (const Section& section : sections_) {
    for (const Key& key : section.keys()) all.push_back(&key);
  }
  return all;
}

std::string Schema::nearest_key(std::string_view name) const {
  std::string best;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  for (const Key* key : keys()) {
    const std::size_t distance = key_distance(name, key->name);
    if (distance < best_distance) {
      best_distance = distance;
      best = key->name;
    }
  }
  return best;
}

std::string Schema::nearest_section(std::string_view name) const {
  std::vector<std::string> names;
  for (const Section& section : sections_) {
    if (!section.name().empty()) names.push_back(section.name());
  }
  return nearest(name, names);
}

}  // namespace haloheap::deck
