// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/deck/deck.hpp>

#include <fmt/format.h>

#include <utility>

namespace haloheap::deck {

Deck::Deck(std::shared_ptr<const Schema> schema, std::map<std::string, Setting> settings)
    : schema_(std::move(schema)), settings_(std::move(settings)) {
  for (const auto& [name, setting] : settings_) {
    const Key* key = schema_->find(name);
    if (key == nullptr) throw InternalError(fmt::format("the schema has no key {}", name));
    if (const auto wrong = violation(*key, setting.value)) {
      throw InternalError(fmt::format("{} was given a value that is not allowed: {}", name, *wrong));
    }
  }
  for (const Key* key : schema_->keys())
    settings_.try_emplace(key->name, Setting{key->default_value, Origin{}});
}

void Deck::reject(std::string_view key, const std::string& cause, const std::string& remedy,
                  const std::string& consequence) const {
  throw UsageError(fmt::format("{}: {}: {}", location(key), key, cause),
                   consequence.empty() ? "nothing was run" : "nothing was run: " + consequence, remedy);
}

std::string Deck::to_toml(Comments comments) const {
  return write_toml(
      *schema_, [this](const Key& key) { return std::vector<Value>{value(key.name)}; }, comments);
}

Deck Deck::with(const std::map<std::string, Value>& values) const {
  auto settings = settings_;
  for (const auto& [name, value] : values) settings[name].value = value;
  return {schema_, std::move(settings)};
}

std::map<std::string, Value> Deck::as_map() const {
  std::map<std::string, Value> map;
  for (const auto& [name, setting] : settings_) map.emplace(name, setting.value);
  return map;
}

const Setting& Deck::setting(std::string_view key) const {
  const auto found = settings_.find(std::string(key));
  if (found == settings_.end()) throw InternalError(fmt::format("the schema has no key {}", key));
  return found->second;
}

void Deck::throw_wrong_type(std::string_view key) const {
  throw InternalError(
      fmt::format("{} was read as another type, but is {}", key, in_words(type_of(value(key)))));
}

}  // namespace haloheap::deck
