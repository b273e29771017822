// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_BOX_LIST_HPP
#define HALOHEAP_CORE_GRID_BOX_LIST_HPP

#include <haloheap/backend/function.hpp>
#include <haloheap/core/grid/box.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace haloheap::grid {

/// A few disjoint boxes that one kernel visits with one flat index. Passed by value in a functor, hence the
/// small fixed capacity and the 32-bit coordinates.
class BoxList {
 public:
  static constexpr int capacity = 6;

  explicit BoxList(std::span<const Box> boxes) {
    for (const Box& box : boxes) {
      Entry& entry = entries_[count_++];
      entry = {static_cast<int>(box.lo.x),           static_cast<int>(box.lo.y),
               static_cast<int>(box.lo.z),           static_cast<unsigned>(box.extent(0)),
               static_cast<unsigned>(box.extent(1)), cells_};
      cells_ += box.cells();
    }
  }

  HALOHEAP_FUNCTION Index cells() const { return cells_; }

  /// The cell with flat number `flat` in [0, cells()).
  HALOHEAP_FUNCTION Triple cell(Index flat) const {
    int which = count_ - 1;
    while (which > 0 && flat < entries_[which].first) --which;
    const Entry& entry = entries_[which];
    // 32-bit divisions: the 64-bit ones cost more than the memory traffic. for_each_box_list sees to it that
    // a box has fewer than 2^32 cells.
    const auto local = static_cast<unsigned>(flat - entry.first);
    const unsigned row = local / entry.nx, z = row / entry.ny;
    return {entry.x + static_cast<Index>(local - row * entry.nx),
            entry.y + static_cast<Index>(row - z * entry.ny), entry.z + static_cast<Index>(z)};
  }

  /// Calls `visit(first, count)` for cells side by side in x, which together are those with the flat numbers
  /// [begin, end). For hosts, which need not divide for each cell.
  template <class Visit>
  void for_each_row(Index begin, Index end, const Visit& visit) const {
    for (int which = 0; which < count_; ++which) {
      const Entry& entry = entries_[which];
      const Index behind = which + 1 < count_ ? entries_[which + 1].first : cells_;
      const Index first = std::max(begin, entry.first), last = std::min(end, behind);
      if (first < last) visit_rows(entry, first, last, visit);
    }
  }

 private:
  struct Entry {
    int x, y, z;
    unsigned nx, ny;
    Index first;  // flat number of the box's first cell
  };

  template <class Visit>
  void visit_rows(const Entry& entry, Index first, Index last, const Visit& visit) const {
    const Index end_x = entry.x + Index{entry.nx}, end_y = entry.y + Index{entry.ny};
    for (Triple at = cell(first); first < last;) {
      const Index count = std::min(end_x - at.x, last - first);
      visit(at, count);
      first += count;
      at = at.y + 1 < end_y ? Triple{entry.x, at.y + 1, at.z} : Triple{entry.x, entry.y, at.z + 1};
    }
  }

  Entry entries_[capacity] = {};
  int count_ = 0;
  Index cells_ = 0;
};

namespace detail {

/// Appends `box`, halved until each part has fewer than 2^32 cells.
inline void append_countable(std::vector<Box>& parts, const Box& box) {
  if (box.cells() < (Index{1} << 32)) {
    parts.push_back(box);
    return;
  }
  int longest = 2;
  for (int dim = 1; dim >= 0; --dim)
    if (box.extent(dim) > box.extent(longest)) longest = dim;
  Box low = box, high = box;
  low.hi[longest] = high.lo[longest] = box.lo[longest] + box.extent(longest) / 2;
  append_countable(parts, low);
  append_countable(parts, high);
}

}  // namespace detail

/// Calls `visit(list)` for the boxes in portions that fit a BoxList.
template <class Visit>
void for_each_box_list(std::span<const Box> boxes, Visit&& visit) {
  std::vector<Box> parts;
  for (const Box& box : boxes) detail::append_countable(parts, box);
  for (std::size_t first = 0; first < parts.size(); first += BoxList::capacity) {
    const BoxList list(std::span<const Box>(parts).subspan(
        first, std::min<std::size_t>(BoxList::capacity, parts.size() - first)));
    if (list.cells() > 0) visit(list);
  }
}

}  // namespace haloheap::grid

#endif
