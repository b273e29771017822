// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_BUFFER_HPP
#define HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_BUFFER_HPP

#include <haloheap/core/coherence/access.hpp>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace haloheap::coherence::test {

/// What is not as it must be.
struct Violation : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void require(bool right, const char* what) {
  if (!right) throw Violation(what);
}

/// Stands for the value of an element: each write makes a new one.
using Version = std::uint64_t;
inline constexpr Version garbage = 0;

/// The elements of a rectangle.
class Versions {
 public:
  explicit Versions(const Rect& rect = {})
      : rect_(rect), values_(static_cast<std::size_t>(rect.elements()), garbage) {}

  const Rect& rect() const { return rect_; }
  Version& at(ElementIndex row, ElementIndex column) { return values_[place(row, column)]; }
  Version at(ElementIndex row, ElementIndex column) const { return values_[place(row, column)]; }
  void fill(Version version) { values_.assign(values_.size(), version); }

 private:
  std::size_t place(ElementIndex row, ElementIndex column) const {
    return static_cast<std::size_t>((row - rect_.row) * rect_.columns() + column - rect_.column);
  }

  Rect rect_;
  std::vector<Version> values_;
};

template <class Function>
void for_each(const Rect& rect, const Function& function) {
  for (ElementIndex row = rect.row; row < rect.row_end; ++row)
    for (ElementIndex column = rect.column; column < rect.column_end; ++column) function(row, column);
}

inline void assign(Versions& to, const Versions& from, const Rect& rect) {
  for_each(rect, [&](ElementIndex row, ElementIndex column) { to.at(row, column) = from.at(row, column); });
}

inline bool equal(const Versions& a, const Versions& b, const Rect& rect) {
  bool same = true;
  for_each(rect, [&](ElementIndex row, ElementIndex column) {
    same = same && a.at(row, column) == b.at(row, column);
  });
  return same;
}

/// Memory of a copy. What it holds is known twice: as if all work were done at once, in the program's order,
/// and as it is so far when work is done later.
struct Buffer {
  Buffer(detail::ObjectId its_object, Memory its_memory, const Rect& rect, std::size_t its_bytes)
      : object(its_object), memory(its_memory), bytes(its_bytes), now(rect), later(rect) {}

  detail::ObjectId object;
  Memory memory;
  std::size_t bytes;
  Versions now, later;
  int pending = 0;                               ///< work that has yet to use it
  std::uint64_t last_used = 0, used_before = 0;  ///< operations

  const Rect& rect() const { return now.rect(); }
  void touch(std::uint64_t operation) {
    if (last_used != operation) used_before = std::exchange(last_used, operation);
  }
};

using BufferPtr = std::shared_ptr<Buffer>;

}  // namespace haloheap::coherence::test

#endif
