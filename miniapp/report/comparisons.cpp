// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/comparisons.hpp>

#include <algorithm>

namespace haloheap::report {
namespace {

/// The settings with some values replaced; nothing when one of those keys is not there at all.
std::optional<Settings> with(Settings settings, const Settings& replacements) {
  for (const auto& [key, value] : replacements) {
    const auto entry = std::find_if(settings.begin(), settings.end(),
                                    [&key = key](const auto& e) { return e.first == key; });
    if (entry == settings.end()) return std::nullopt;
    entry->second = value;
  }
  return settings;
}

/// The point whose deck is `point`'s with the replacements made. Decks of one problem have the same key
/// order.
const Point* partner(const std::vector<Point>& points, const Point& point, const Settings& replacements) {
  const auto wanted = with(point.deck, replacements);
  if (!wanted) return nullptr;
  const auto found =
      std::find_if(points.begin(), points.end(), [&](const Point& p) { return p.deck == *wanted; });
  return found == points.end() ? nullptr : &*found;
}

std::optional<double> compared(const std::vector<Point>& points, const Point& point,
                               const Comparison& comparison) {
  for (const Settings& replacements : comparison.references)
    if (const Point* reference = partner(points, point, replacements))
      return comparison.value(point, *reference);
  return std::nullopt;
}

}  // namespace

void fill_comparisons(std::vector<Point>& points, const std::string& problem,
                      const QuantityList& quantities) {
  for (const Quantity* quantity : quantities) {
    if (!quantity->comparison) continue;
    for (Point& point : points) {
      if (point.work.problem != problem) continue;
      const auto value = compared(points, point, *quantity->comparison);
      if (!value) continue;
      Measurement& measured = point.measured.emplace_back();
      measured.quantity = quantity;
      measured.value = *value;
    }
  }
}

std::optional<double> merit_of(const Point& point) {
  for (const Measurement& measurement : point.measured)
    if (measurement.quantity->merit) return std::get<double>(measurement.value);
  return std::nullopt;
}

}  // namespace haloheap::report
