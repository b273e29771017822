// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_QUANTITY_HPP
#define HALOHEAP_MINIAPP_REPORT_QUANTITY_HPP

#include <haloheap/miniapp/report/settings.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace haloheap::report {

struct Point;

/// How the tables on stdout show a quantity.
struct Shown {
  std::string heading = {};  ///< empty: the title and the unit, "allocate [us]"
  double factor = 1;         ///< the number that is shown over the one in the files
  std::string format = {};  ///< ".1f", as of std::format; empty: three digits of the column's smallest number
  bool apart = false;       ///< in a table of what its branch of the tree has ("phases"), not in the main one
};

/// What a number may be.
enum class Range { any, not_negative, positive };

/// When a point has a value.
enum class Presence {
  always,       ///< in each point of its problems
  with_branch,  ///< whenever the object that it stands in ("phases") is there
  sometimes,    ///< where it was measured
};

/// A number that compares a point with another one of the same sweep.
struct Comparison {
  /// Deck values that a reference has in the place of the point's own. In every other key they agree. The
  /// first of these that ran is the reference.
  std::vector<Settings> references;
  /// Nothing where the two cannot be compared.
  std::function<std::optional<double>(const Point& own, const Point& reference)> value;
};

/// Everything that is known about one value of a result. All outputs, the schema of results.json and
/// docs/reference/results_reference.md come from it.
struct Quantity {
  std::string name;                 ///< its place in results.json, a dot between levels: "wall_s.median"
  std::string unit;                 ///< of the value: "s", "bytes/s"; empty: none
  std::string title;                ///< of columns and axes, without the unit: "time"
  std::string help;                 ///< what it is, in whole sentences
  std::optional<Shown> shown = {};  ///< none: it is in the files only
  Range range = Range::not_negative;
  bool merit = false;  ///< a time by which points of the problem are ranked

  // Known from where the value comes from (Quantities), not written by hand.
  deck::Type type = deck::Type::real;
  Presence presence = Presence::always;
  std::optional<Comparison> comparison = {};
};

/// The time by which points of a problem are ranked.
inline Quantity of_merit(Quantity quantity) {
  quantity.merit = true;
  return quantity;
}

/// In the order of all outputs. They outlive everything that was measured.
using QuantityList = std::vector<const Quantity*>;

/// A value, and what it is.
struct Measurement {
  const Quantity* quantity = nullptr;
  deck::Value value;
};

/// "phases" of "phases.pack_s"; empty where there is no dot.
inline std::string branch_of(const Quantity& quantity) {
  const std::size_t dot = quantity.name.rfind('.');
  return dot == std::string::npos ? "" : quantity.name.substr(0, dot);
}

}  // namespace haloheap::report

#endif
