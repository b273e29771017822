// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/region.hpp>

#include <fmt/format.h>

namespace haloheap::coherence::detail {
namespace {

/// Whether two disjoint rectangles make up one.
bool joinable(const Rect& a, const Rect& b) {
  const bool same_rows = a.row == b.row && a.row_end == b.row_end;
  const bool same_columns = a.column == b.column && a.column_end == b.column_end;
  return (same_rows && (a.column_end == b.column || b.column_end == a.column)) ||
         (same_columns && (a.row_end == b.row || b.row_end == a.row));
}

Rect hull(const Rect& a, const Rect& b) {
  return {std::min(a.row, b.row), std::max(a.row_end, b.row_end), std::min(a.column, b.column),
          std::max(a.column_end, b.column_end)};
}

}  // namespace

void remove_from(std::vector<Rect>& rects, const Rect& rect) {
  std::size_t old = rects.size();  // pieces come behind, and need not be looked at again
  for (std::size_t i = 0; i < old;) {
    if (!overlap(rects[i], rect)) {
      ++i;
      continue;
    }
    const Remainder rest = subtract(rects[i], rect);
    if (rest.count > 0) {
      rects[i++] = rest.rects[0];
      rects.insert(rects.end(), rest.begin() + 1, rest.end());
    } else {
      rects[i] = rects[--old];
      rects[old] = rects.back();
      rects.pop_back();
    }
  }
}

void Region::add(const Rect& rect) {
  if (rect.empty() || contains(rect)) return;
  remove(rect);
  rects_.push_back(rect);
  join_last();
}

/// The last rectangle may join one neighbour, the outcome another, and so on.
void Region::join_last() {
  for (std::size_t i = 0; i + 1 < rects_.size();) {
    if (!joinable(rects_[i], rects_.back())) {
      ++i;
      continue;
    }
    const Rect joined = hull(rects_[i], rects_.back());
    rects_.pop_back();
    rects_[i] = rects_.back();
    rects_.back() = joined;
    if (rects_.size() == 1) return;
    i = 0;
  }
}

void Region::remove(const Rect& rect) {
  remove_from(rects_, rect);
}

bool Region::contains(const Rect& rect) const {
  return elements_in(rect) == rect.elements();
}

bool Region::overlaps(const Rect& rect) const {
  for (const Rect& mine : rects_)
    if (overlap(mine, rect)) return true;
  return false;
}

ElementIndex Region::elements() const {
  ElementIndex sum = 0;
  for (const Rect& mine : rects_) sum += mine.elements();
  return sum;
}

ElementIndex Region::elements_in(const Rect& rect) const {
  ElementIndex sum = 0;
  for (const Rect& mine : rects_) sum += intersect(mine, rect).elements();
  return sum;
}

}  // namespace haloheap::coherence::detail
