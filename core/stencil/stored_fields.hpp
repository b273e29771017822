// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_STORED_FIELDS_HPP
#define HALOHEAP_CORE_STENCIL_STORED_FIELDS_HPP

#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/stencil/pack.hpp>
#include <haloheap/core/stencil/rule.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace haloheap::stencil {
namespace detail {

/// A cell of fields of several types, as a pointer is one of fields of one type: it says which cell, and the
/// field is told besides.
/// @tparam Byte std::byte, const or not
template <class Fields, class Byte>
struct MixedCell {
  Byte* start = nullptr;  ///< of the first field
  grid::Index at = 0;     ///< the cell's number in each field

  MixedCell() = default;
  KOKKOS_FORCEINLINE_FUNCTION explicit MixedCell(Byte* first) : start(first) {}

  KOKKOS_FORCEINLINE_FUNCTION friend MixedCell operator+(MixedCell cell, grid::Index cells) {
    cell.at += cells;
    return cell;
  }
  KOKKOS_FORCEINLINE_FUNCTION MixedCell& operator+=(grid::Index cells) {
    at += cells;
    return *this;
  }
  /// @param size cells of a field, ghost cells and gaps included
  template <int Field>
  KOKKOS_FORCEINLINE_FUNCTION auto in_field(grid::Index size) const {
    using Value = typename Fields::template stored<Field>;
    using Pointer = std::conditional_t<std::is_const_v<Byte>, const Value*, Value*>;
    constexpr auto before = static_cast<grid::Index>(Fields::template start<Field>);
    return reinterpret_cast<Pointer>(start + size * before) + at;
  }
};

/// Calls visit.template operator()<Field>(), for a number that is constant once loops are unrolled.
template <class Fields, int Field = 0, class Visit>
KOKKOS_FORCEINLINE_FUNCTION void with_field(int field, const Visit& visit) {
  if constexpr (Field + 1 < Fields::count)
    if (field != Field) return with_field<Fields, Field + 1>(field, visit);
  visit.template operator()<Field>();
}

template <class Fields>
struct CellPointers {
  using In = const typename Fields::type*;
  using Out = typename Fields::type*;
};
template <class Fields>
requires(is_mixed<Fields>) struct CellPointers<Fields> {
  using In = MixedCell<Fields, const std::byte>;
  using Out = MixedCell<Fields, std::byte>;
};

/// What points to a cell of a rule's fields: a pointer to its value in the first one, if all have one type.
template <class Rule>
using InCell = typename CellPointers<typename Rule::Fields>::In;
template <class Rule>
using OutCell = typename CellPointers<typename Rule::Fields>::Out;

/// The value of a field in a cell. @param size cells of a field
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T value_at(const T* cell, int field, grid::Index size) {
  return cell[field * size];
}
template <class Fields, class Byte>
KOKKOS_FORCEINLINE_FUNCTION auto value_at(const MixedCell<Fields, Byte>& cell, int field, grid::Index size) {
  typename Fields::type value{};
  with_field<Fields>(field, [&]<int Field>() {
    value = static_cast<typename Fields::type>(*cell.template in_field<Field>(size));
  });
  return value;
}

/// Calls visit(pack) with where so many cells are from this one on, whose number is a multiple of `Width`.
template <int Width, class T, class Visit>
KOKKOS_FORCEINLINE_FUNCTION void with_pack(T* cell, int field, grid::Index size, const Visit& visit) {
  visit(reinterpret_cast<const Pack<std::remove_const_t<T>, Width>*>(cell + field * size));
}
template <int Width, class Fields, class Byte, class Visit>
KOKKOS_FORCEINLINE_FUNCTION void with_pack(const MixedCell<Fields, Byte>& cell, int field, grid::Index size,
                                           const Visit& visit) {
  with_field<Fields>(field, [&]<int Field>() {
    using Stored = Pack<typename Fields::template stored<Field>, Width>;
    visit(reinterpret_cast<const Stored*>(cell.template in_field<Field>(size)));
  });
}

/// What rules compute with, of what memory has.
template <class T, class Stored, int Width>
KOKKOS_FORCEINLINE_FUNCTION Pack<T, Width> as_computed(const Pack<Stored, Width>& stored) {
  if constexpr (std::is_same_v<T, Stored>) {
    return stored;
  } else {
    Pack<T, Width> values;
    HALOHEAP_UNROLL
    for (int i = 0; i < Width; ++i) values.value[i] = static_cast<T>(stored.value[i]);
    return values;
  }
}

/// The values of so many cells from this one on, whose number is a multiple of `Width`.
template <int Width, class T>
KOKKOS_FORCEINLINE_FUNCTION auto pack_at(T* cell, int field, grid::Index size) {
  return *reinterpret_cast<const Pack<std::remove_const_t<T>, Width>*>(cell + field * size);
}
template <int Width, class Fields, class Byte>
KOKKOS_FORCEINLINE_FUNCTION auto pack_at(const MixedCell<Fields, Byte>& cell, int field, grid::Index size) {
  Pack<typename Fields::type, Width> values;
  with_pack<Width>(cell, field, size,
                   [&](auto* pack) { values = as_computed<typename Fields::type>(*pack); });
  return values;
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION void put(T* cell, int field, grid::Index size, T value) {
  cell[field * size] = value;
}
template <class Fields>
KOKKOS_FORCEINLINE_FUNCTION void put(const MixedCell<Fields, std::byte>& cell, int field, grid::Index size,
                                     typename Fields::type value) {
  with_field<Fields>(field, [&]<int Field>() {
    *cell.template in_field<Field>(size) = static_cast<typename Fields::template stored<Field>>(value);
  });
}

/// The cell's number is a multiple of `Width`.
template <class T, int Width>
KOKKOS_FORCEINLINE_FUNCTION void put_pack(T* cell, int field, grid::Index size, const Pack<T, Width>& pack) {
  *reinterpret_cast<Pack<T, Width>*>(cell + field * size) = pack;
}
template <class Fields, int Width>
KOKKOS_FORCEINLINE_FUNCTION void put_pack(const MixedCell<Fields, std::byte>& cell, int field,
                                          grid::Index size, const Pack<typename Fields::type, Width>& pack) {
  with_field<Fields>(field, [&]<int Field>() {
    using Value = typename Fields::template stored<Field>;
    Pack<Value, Width> stored;
    HALOHEAP_UNROLL
    for (int i = 0; i < Width; ++i) stored.value[i] = static_cast<Value>(pack.value[i]);
    *reinterpret_cast<Pack<Value, Width>*>(cell.template in_field<Field>(size)) = stored;
  });
}

/// Stores the cells of `pack` that lie in [lo, hi), counted from the pack's first cell, which is at `cell`.
template <class Cell, class T, int Width>
KOKKOS_FORCEINLINE_FUNCTION void store(const Cell& cell, int field, grid::Index size,
                                       const Pack<T, Width>& pack, int lo, int hi) {
  if (lo <= 0 && hi >= Width) {
    put_pack(cell, field, size, pack);
  } else {
    HALOHEAP_UNROLL
    for (int i = 0; i < Width; ++i)
      if (i >= lo && i < hi) put(cell + i, field, size, pack.value[i]);
  }
}

/// Calls visit.template operator()<Stored>(), with the type that a field has in memory.
template <class Rule, class Visit>
KOKKOS_FORCEINLINE_FUNCTION void with_stored_type(int field, const Visit& visit) {
  using Fields = typename Rule::Fields;
  if constexpr (is_mixed<Fields>)
    with_field<Fields>(
        field, [&]<int Field>() { visit.template operator()<typename Fields::template stored<Field>>(); });
  else
    visit.template operator()<typename Fields::type>();
}

/// What memory keeps of a value: steps of one pass hand on that, or fused steps would have other bits.
template <class Rule>
KOKKOS_FORCEINLINE_FUNCTION typename RuleTraits<Rule>::T as_stored(int field,
                                                                   typename RuleTraits<Rule>::T value) {
  using Fields = typename Rule::Fields;
  if constexpr (is_mixed<Fields>)
    with_field<Fields>(field, [&]<int Field>() {
      value = static_cast<typename Fields::type>(static_cast<typename Fields::template stored<Field>>(value));
    });
  return value;
}

}  // namespace detail

/// How large an array of a rule's fields is: in bytes, if they have several types, else in values.
template <class Rule>
grid::Index array_size(const grid::FieldLayout& layout) {
  using Fields = typename Rule::Fields;
  if constexpr (detail::is_mixed<Fields>)
    return layout.quantity_size * static_cast<grid::Index>(Fields::bytes_before(Fields::count));
  else
    return layout.size();
}

/// The values of one field of a rule, whose fields lie one behind the other from `data` on. Of a cell it has
/// the number layout.at(cell).
///
///     std::uint8_t* const rock = stencil::field_of<Flow, Flow::rock>(now.data(), layout);
///
/// @param data bytes, if the rule has fields of several types, else values
template <class Rule, int Field, class Data>
HALOHEAP_FUNCTION auto field_of(Data* data, const grid::FieldLayout& layout) {
  using Fields = typename Rule::Fields;
  static_assert(Field >= 0 && Field < Fields::count, "the rule has no such field");
  if constexpr (detail::is_mixed<Fields>)
    return detail::MixedCell<Fields, Data>(data).template in_field<Field>(layout.quantity_size);
  else
    return data + Field * layout.quantity_size;
}

}  // namespace haloheap::stencil

#endif
