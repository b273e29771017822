// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_REGION_HPP
#define HALOHEAP_CORE_COHERENCE_REGION_HPP

#include <haloheap/core/coherence/rect.hpp>

#include <vector>

namespace haloheap::coherence::detail {

/// Leaves of disjoint rectangles what is not in `rect`. In place: those that it does not touch stay as they
/// are.
void remove_from(std::vector<Rect>& rects, const Rect& rect);

/// Any set of elements, as disjoint rectangles, as few as neighbours of equal sides can be joined into. What
/// memory it once took it keeps: a steady loop allocates nothing.
class Region {
 public:
  Region() = default;
  explicit Region(const Rect& rect) { add(rect); }

  void add(const Rect& rect);
  void remove(const Rect& rect);
  void clear() { rects_.clear(); }

  bool empty() const { return rects_.empty(); }
  bool contains(const Rect& rect) const;
  bool overlaps(const Rect& rect) const;
  ElementIndex elements() const;
  /// Elements that are in `rect` too.
  ElementIndex elements_in(const Rect& rect) const;
  const std::vector<Rect>& rects() const { return rects_; }
  /// Of the same rectangles in the same order, which the same elements need not be.
  friend bool operator==(const Region&, const Region&) = default;

 private:
  void join_last();

  std::vector<Rect> rects_;
};

}  // namespace haloheap::coherence::detail

#endif
