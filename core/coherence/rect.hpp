// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_RECT_HPP
#define HALOHEAP_CORE_COHERENCE_RECT_HPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace haloheap::coherence {

using ElementIndex = std::int64_t;

/// Half-open rectangle of elements: rows [row, row_end), columns [column, column_end). A vector is a matrix
/// of one row.
struct Rect {
  ElementIndex row = 0, row_end = 0, column = 0, column_end = 0;

  constexpr ElementIndex rows() const { return row_end > row ? row_end - row : 0; }
  constexpr ElementIndex columns() const { return column_end > column ? column_end - column : 0; }
  constexpr ElementIndex elements() const { return rows() * columns(); }
  constexpr bool empty() const { return row_end <= row || column_end <= column; }
  constexpr bool contains(const Rect& other) const {
    return row <= other.row && other.row_end <= row_end && column <= other.column &&
           other.column_end <= column_end;
  }
  friend constexpr bool operator==(const Rect&, const Rect&) = default;
};

/// Elements [begin, end) of a vector.
constexpr Rect range(ElementIndex begin, ElementIndex end) {
  return {0, 1, begin, end};
}

constexpr Rect intersect(const Rect& a, const Rect& b) {
  return {std::max(a.row, b.row), std::min(a.row_end, b.row_end), std::max(a.column, b.column),
          std::min(a.column_end, b.column_end)};
}

constexpr bool overlap(const Rect& a, const Rect& b) {
  return !intersect(a, b).empty();
}

/// Up to four rectangles: what a rectangle leaves of another. (Footnote 10 of [Dastgeer2016] says two, which
/// holds for vectors only.)
struct Remainder {
  std::array<Rect, 4> rects{};
  int count = 0;

  const Rect* begin() const { return rects.data(); }
  const Rect* end() const { return rects.data() + count; }
};

/// The elements of `a` that are not in `b`. Whole rows first, so that long runs stay whole.
constexpr Remainder subtract(const Rect& a, const Rect& b) {
  Remainder result;
  const auto add = [&](const Rect& rect) {
    if (!rect.empty()) result.rects[static_cast<std::size_t>(result.count++)] = rect;
  };
  const Rect common = intersect(a, b);
  if (common.empty()) {
    add(a);
    return result;
  }
  add({a.row, common.row, a.column, a.column_end});
  add({common.row_end, a.row_end, a.column, a.column_end});
  add({common.row, common.row_end, a.column, common.column});
  add({common.row, common.row_end, common.column_end, a.column_end});
  return result;
}

/// "[5, 10)" of a vector, "rows [0, 4) columns [2, 3)" of a matrix.
std::string to_string(const Rect& rect, bool vector);

}  // namespace haloheap::coherence

#endif
