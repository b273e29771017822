// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/derive.hpp>
#include <haloheap/miniapp/report/settings.hpp>

#include <algorithm>
#include <optional>

namespace haloheap::report {
namespace {

/// The settings with some values replaced; nothing when one of those keys is not there at all.
std::optional<Settings> with(Settings settings, const Settings& replacements) {
  for (const auto& [key, value] : replacements) {
    const auto entry =
        std::find_if(settings.begin(), settings.end(), [&](const auto& e) { return e.first == key; });
    if (entry == settings.end()) return std::nullopt;
    entry->second = value;
  }
  return settings;
}

/// The point whose deck is `point`'s with the replacements made. Settings of one sweep have the same key
/// order.
const Point* partner(const std::vector<Point>& points, const Point& point, const Settings& replacements) {
  const auto wanted = with(point.deck, replacements);
  if (!wanted) return nullptr;
  const auto found =
      std::find_if(points.begin(), points.end(), [&](const Point& p) { return p.deck == *wanted; });
  return found == points.end() ? nullptr : &*found;
}

const Figure* compared_figure(const Point& point) {
  const auto found =
      std::find_if(point.figures.begin(), point.figures.end(), [](const Figure& f) { return f.compared; });
  return found == point.figures.end() ? nullptr : &*found;
}

}  // namespace

void fill_allocator_speedups(std::vector<Point>& points) {
  for (Point& point : points) {
    const Figure* own = compared_figure(point);
    if (!own) continue;
    point.speedup.reset();
    const Point* native = partner(points, point, {{"allocator.name", std::string("native")}});
    const Figure* reference = native ? compared_figure(*native) : nullptr;
    if (reference && own->value > 0) point.speedup = reference->value / own->value;
  }
}

void fill_speedups(std::vector<Point>& points) {
  const Settings reference_values = {{"halo.exchange", std::string("sync")},
                                     {"halo.overlap", std::string("none")},
                                     {"halo.depth", std::int64_t{1}}};
  for (Point& point : points) {
    point.speedup.reset();
    if (!point.gcells_per_s) continue;
    const Point* reference = partner(points, point, reference_values);
    if (reference && point.wall.median > 0) point.speedup = reference->wall.median / point.wall.median;
  }
}

void fill_normalised_times(std::vector<Point>& points) {
  const auto reference_of = [&](const Point& point) -> const Point* {
    for (const char* policy : {"paper", "region"})
      for (const bool peer : {true, false})
        if (const Point* found =
                partner(points, point, {{"coherence.policy", std::string(policy)}, {"coherence.peer", peer}}))
          return found;
    return nullptr;
  };
  std::vector<double>
      times;  // of the references, before any figure is added: points are compared by decks only
  for (const Point& point : points) {
    const bool timed = std::any_of(point.figures.begin(), point.figures.end(),
                                   [](const Figure& f) { return f.name == "allocated_mb"; });
    const Point* reference = timed ? reference_of(point) : nullptr;
    times.push_back(reference ? reference->wall.median : 0);
  }
  for (std::size_t i = 0; i < points.size(); ++i)
    if (times[i] > 0)
      points[i].figures.push_back({"normalised", "normalised", points[i].wall.median / times[i]});
}

void fill_hidden_shares(std::vector<Point>& points) {
  const deck::Value none = std::string("none");
  for (Point& point : points) {
    point.hidden_share.reset();
    const deck::Value* overlap = find(point.deck, "halo.overlap");
    if (!overlap || *overlap == none || !point.gcells_per_s) continue;
    const Point* serial = partner(points, point, {{"halo.overlap", none}});
    if (!serial || !serial->phases) continue;
    const Phases& phases = *serial->phases;
    const double communication = phases.message + phases.desynchronisation.value_or(0) + phases.unpack;
    if (communication > 0) point.hidden_share = (serial->wall.median - point.wall.median) / communication;
  }
}

}  // namespace haloheap::report
