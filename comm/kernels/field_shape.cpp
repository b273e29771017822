// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/kernels/field_shape.hpp>

#include <algorithm>

namespace haloheap::comm::detail {

FieldShape FieldShape::of(const grid::FieldLayout& layout, std::size_t element_bytes) {
  const auto element = static_cast<grid::Index>(element_bytes);
  return {.element = element,
          .origin = layout.origin * element,
          .stride = {element, layout.pitch * element, layout.plane * element, layout.quantity_size * element},
          .quantities = layout.quantities};
}

grid::Index FieldShape::run(const grid::Box& box) const {
  const std::array<grid::Index, 4> count = counts(box);
  grid::Index bytes = element;
  for (const std::size_t dim : memory_order()) {
    if (count[dim] == 1) continue;
    if (stride[dim] != bytes) break;
    bytes *= count[dim];
  }
  return bytes;
}

std::array<grid::Index, 4> FieldShape::packed_strides(const grid::Box& box) const {
  const std::array<grid::Index, 4> count = counts(box);
  std::array<grid::Index, 4> strides{};
  grid::Index next = element;
  for (const std::size_t dim : packed_order) {
    strides[dim] = next;
    next *= count[dim];
  }
  return strides;
}

std::array<std::size_t, 4> FieldShape::memory_order() const {
  std::array<std::size_t, 4> order{0, 1, 2, 3};
  std::stable_sort(order.begin(), order.end(),
                   [this](std::size_t a, std::size_t b) { return stride[a] < stride[b]; });
  return order;
}

PackedMessage::PackedMessage(const std::vector<FieldShape>& fields, const std::vector<grid::Box>& boxes) {
  for (const FieldShape& field : fields) {
    auto& starts = first.emplace_back();
    for (const grid::Box& box : boxes) {
      starts.push_back(packed_start(bytes));
      bytes = starts.back() + field.bytes(box);
    }
  }
}

}  // namespace haloheap::comm::detail
