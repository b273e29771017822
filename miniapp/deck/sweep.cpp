// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/deck/sweep.hpp>

#include <fmt/format.h>

#include <utility>

namespace haloheap::deck {

Sweep::Sweep(std::shared_ptr<const Schema> schema, std::string path,
             std::map<std::string, std::vector<Setting>> axes)
    : schema_(std::move(schema)), path_(std::move(path)), axes_(std::move(axes)) {
  for (const auto& [name, settings] : axes_) {
    if (settings.empty()) throw InternalError(fmt::format("{} has no value to sweep over", name));
    size_ *= settings.size();
    if (size_ > max_points) {
      throw UsageError(fmt::format("{}: the sweep has more than {} points", path_, max_points),
                       "nothing was run", "shorten the lists, or make several decks");
    }
  }
}

std::vector<std::string> Sweep::swept_keys() const {
  std::vector<std::string> names;
  for (const Key* key : schema_->keys()) {
    const auto axis = axes_.find(key->name);
    if (axis != axes_.end() && axis->second.size() > 1) names.push_back(key->name);
  }
  return names;
}

Deck Sweep::point(std::size_t index) const {
  if (index >= size_) throw InternalError(fmt::format("point {} of a sweep of {}", index, size_));
  std::map<std::string, Setting> settings;
  const std::vector<const Key*> keys = schema_->keys();
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
    const auto axis = axes_.find((*key)->name);
    if (axis == axes_.end()) continue;
    const std::vector<Setting>& choices = axis->second;
    settings.emplace((*key)->name, choices[index % choices.size()]);
    index /= choices.size();
  }
  return Deck(schema_, std::move(settings));
}

std::string Sweep::to_toml(Comments comments) const {
  const auto values = [this](const Key& key) {
    const auto axis = axes_.find(key.name);
    if (axis == axes_.end()) return std::vector<Value>{key.default_value};
    std::vector<Value> all;
    for (const Setting& setting : axis->second) all.push_back(setting.value);
    return all;
  };
  return write_toml(*schema_, values, comments);
}

}  // namespace haloheap::deck
