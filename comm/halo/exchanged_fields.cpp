// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/exchanged_fields.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace haloheap::comm {

ExchangedFields ExchangedFields::of(const grid::FieldLayout& layout, ValueType type, std::size_t value_bytes,
                                    const FieldMemory& first, const FieldMemory& second) {
  ExchangedFields result{HaloBounds::of(layout),
                         {{detail::FieldShape::of(layout, value_bytes), {first.start, second.start}, type}}};
  try {
    first.require(layout, "first");
    second.require(layout, "second");
    require_room(layout);
  } catch (const UsageError& error) {
    result.problem = error;
  }
  return result;
}

ExchangedFields ExchangedFields::of_mixed(const grid::FieldLayout& layout,
                                          const std::vector<StoredField>& stored, std::byte* first,
                                          std::byte* second) {
  ExchangedFields result{HaloBounds::of(layout), {}};
  grid::FieldLayout alone = layout;
  alone.quantities = 1;
  grid::Index before = 0;
  for (const auto& [type, bytes] : stored) {
    const grid::Index start = before * layout.quantity_size;
    result.fields.push_back({detail::FieldShape::of(alone, static_cast<std::size_t>(bytes)),
                             {first + start, second + start},
                             type});
    before += bytes;
  }
  return result;
}

void ExchangedFields::require_room(const grid::FieldLayout& layout) {
  const auto& [own, halo] = std::tie(layout.own, layout.halo);
  const grid::Triple first{-halo.x, -halo.y, -halo.z},
      last{own.x + halo.x - 1, own.y + halo.y - 1, own.z + halo.z - 1};
  const bool positive = std::min({own.x, own.y, own.z}) > 0 && std::min({halo.x, halo.y, halo.z}) >= 0;
  if (positive && layout.at(first) >= 0 && layout.at(last) < layout.quantity_size &&
      layout.pitch >= own.x + 2 * halo.x && layout.plane >= layout.pitch * (own.y + 2 * halo.y))
    return;
  throw UsageError(fmt::format("a layout of {} x {} x {} own cells has no room for {} x {} x {} ghost cells "
                               "on each side",
                               own.x, own.y, own.z, halo.x, halo.y, halo.z),
                   "ghost cells would be read and written elsewhere",
                   "make the layout for the widest halo: make_field_layout");
}

}  // namespace haloheap::comm
