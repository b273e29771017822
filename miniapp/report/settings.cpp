// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/settings.hpp>

namespace haloheap::report {

const deck::Value* find(const Settings& settings, std::string_view key) {
  for (const auto& [name, value] : settings) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::string label_of(const Settings& settings) {
  std::string label;
  for (const auto& [name, value] : settings) {
    if (!label.empty()) label += ' ';
    label += name + '=' + deck::to_string(value);
  }
  return label;
}

}  // namespace haloheap::report
