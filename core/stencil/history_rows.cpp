// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/stencil/history_rows.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace haloheap::stencil::detail {

HistoryRows::HistoryRows(std::shared_ptr<memory::MemoryResource> memory, const HistoryWords& words,
                         std::size_t slots, std::size_t cursors, grid::Index row_size)
    : memory_(std::move(memory)),
      words_(words),
      rows_label_(fmt::format("haloheap::stencil::{}_rows", words.history)),
      row_size_(row_size),
      slots_(memory_, fmt::format("haloheap::stencil::{}_slots", words.history), slots),
      cursors_(memory_, fmt::format("haloheap::stencil::{}_cursors", words.history), cursors),
      rows_(memory_, rows_label_, 0) {
  reset();
}

bool HistoryRows::has_room(grid::Index rows) const {
  return reserved_ + rows <= capacity();
}

bool HistoryRows::reserve(grid::Index rows) {
  const bool room = has_room(rows);
  reserved_ += rows;
  if (room) return false;
  const std::vector<double> kept = first(std::min(appended(), capacity()));
  // Where rows come a few at a time, the next few would move them again: twice the room.
  const grid::Index larger_capacity = std::max(reserved_, 2 * capacity());
  memory::Array<double> larger(memory_, rows_label_, static_cast<std::size_t>(larger_capacity * row_size_));
  copy(larger.data(), kept.data(), kept.size());
  rows_ = std::move(larger);
  return true;
}

grid::Index HistoryRows::appended() const {
  grid::Index rows = 0;
  copy(&rows, cursors_.data(), 1);
  return rows;
}

std::vector<double> HistoryRows::read() const {
  const grid::Index rows = appended();
  if (rows > capacity())
    throw UsageError(fmt::format("{} {}s were added to a {} history with room for {}", rows, words_.row,
                                 words_.history, capacity()),
                     "the last ones are lost",
                     fmt::format("reserve room for all {}s before they are added", words_.row));
  return first(rows);
}

std::vector<double> HistoryRows::first(grid::Index rows) const {
  std::vector<double> all(static_cast<std::size_t>(rows * row_size_));
  copy(all.data(), rows_.data(), all.size());
  return all;
}

void HistoryRows::reset() {
  reserved_ = 0;
  const std::vector<double> zeros(slots_.size(), 0);
  const std::vector<grid::Index> start(cursors_.size(), 0);
  copy(slots_.data(), zeros.data(), zeros.size());
  copy(cursors_.data(), start.data(), start.size());
}

template <class T>
void HistoryRows::copy(T* to, const T* from, std::size_t count) const {
  if (count != 0) backend::copy(copies_.exec(), to, from, count * sizeof(T));
}

}  // namespace haloheap::stencil::detail
