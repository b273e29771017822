// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_KERNELS_FIELD_SHAPE_HPP
#define HALOHEAP_COMM_KERNELS_FIELD_SHAPE_HPP

#include <haloheap/core/grid/field_layout.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace haloheap::comm::detail {

/// Where the values of one field stand in memory and in messages; everything in bytes. The dimensions are x,
/// y, z and the quantities.
struct FieldShape {
  grid::Index element = 0;                              ///< a value
  grid::Index origin = 0;                               ///< from the start of the field to own cell (0, 0, 0)
  std::array<grid::Index, 4> stride{};                  ///< from a value to the next in each dimension
  grid::Index quantities = 1;                           ///< values of a cell
  std::array<std::size_t, 4> packed_order{0, 1, 2, 3};  ///< in messages, the fastest dimension first

  static FieldShape of(const grid::FieldLayout& layout, std::size_t element_bytes);

  friend bool operator==(const FieldShape&, const FieldShape&) = default;

  /// Of quantity 0.
  grid::Index at(const grid::Triple& cell) const {
    return origin + cell.x * stride[0] + cell.y * stride[1] + cell.z * stride[2];
  }
  /// How many values a box has in each dimension.
  std::array<grid::Index, 4> counts(const grid::Box& box) const {
    return {box.extent(0), box.extent(1), box.extent(2), quantities};
  }
  grid::Index bytes(const grid::Box& box) const { return box.cells() * quantities * element; }
  /// The bytes of a box from its first on that lie in a row in memory.
  grid::Index run(const grid::Box& box) const;
  /// How far values of a box are apart in each dimension where they are packed.
  std::array<grid::Index, 4> packed_strides(const grid::Box& box) const;
  /// The dimensions in the order of memory, the fastest first.
  std::array<std::size_t, 4> memory_order() const;
};

/// A message holds the first field's boxes, then the second's, each box where the widest load may start.
inline constexpr grid::Index packed_alignment = 16;

/// Where in a message the boxes of all fields stand, and its length.
struct PackedMessage {
  std::vector<std::vector<grid::Index>> first;  ///< [field][box], in bytes
  grid::Index bytes = 0;

  PackedMessage(const std::vector<FieldShape>& fields, const std::vector<grid::Box>& boxes);
};

/// The next place where a box, or a message, may start.
constexpr grid::Index packed_start(grid::Index at) {
  return (at + packed_alignment - 1) / packed_alignment * packed_alignment;
}

}  // namespace haloheap::comm::detail

#endif
