// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_BOX_LIST_HPP
#define HALOHEAP_CORE_GRID_BOX_LIST_HPP

#include <haloheap/core/grid/box.hpp>

#include <span>

namespace haloheap {

/// A few disjoint boxes that one kernel visits with one flat index. Travels by value in a functor, hence the
/// small fixed capacity (Kokkos passes functors above 512 bytes through one shared constant buffer, which
/// serialises launches of different instances) and 32-bit coordinates.
class BoxList {
 public:
  static constexpr int capacity = 6;

  explicit BoxList(std::span<const Box> boxes) {
    for (const Box& box : boxes) {
      Entry& entry = entries_[count_++];
      entry = {static_cast<int>(box.lo.x),      static_cast<int>(box.lo.y),      static_cast<int>(box.lo.z),
               static_cast<int>(box.extent(0)), static_cast<int>(box.extent(1)), cells_};
      cells_ += box.cells();
    }
  }

  KOKKOS_FUNCTION Index cells() const { return cells_; }

  /// The cell with flat number `flat` in [0, cells()).
  KOKKOS_FUNCTION Triple cell(Index flat) const {
    int which = count_ - 1;
    while (which > 0 && flat < entries_[which].first) --which;
    const Entry& entry = entries_[which];
    const Index local = flat - entry.first, row = local / entry.nx;
    return {entry.x + local - row * entry.nx, entry.y + row % entry.ny, entry.z + row / entry.ny};
  }

 private:
  struct Entry {
    int x, y, z, nx, ny;
    Index first;  // flat number of the box's first cell
  };

  Entry entries_[capacity] = {};
  int count_ = 0;
  Index cells_ = 0;
};

/// Calls `visit(list)` for the boxes in portions that fit a BoxList.
template <class Visit>
void for_each_box_list(std::span<const Box> boxes, Visit&& visit) {
  for (std::size_t first = 0; first < boxes.size(); first += BoxList::capacity) {
    const BoxList list(boxes.subspan(first, std::min<std::size_t>(BoxList::capacity, boxes.size() - first)));
    if (list.cells() > 0) visit(list);
  }
}

}  // namespace haloheap

#endif
