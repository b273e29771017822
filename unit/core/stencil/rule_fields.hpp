// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_STENCIL_RULE_FIELDS_HPP
#define HALOHEAP_UNIT_CORE_STENCIL_RULE_FIELDS_HPP

#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/stencil/rule.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>

#include <cstddef>
#include <cstring>
#include <vector>

namespace haloheap::testing {

/// Values of a rule's fields in an array as kernels are given it, on the host: by number for fields of one
/// type, and by bytes for those of several. Shares no code with kernels.
template <class Rule>
struct RuleFields {
  using Fields = typename Rule::Fields;
  using T = typename Fields::type;
  static constexpr bool mixed = stencil::detail::is_mixed<Fields>;
  using Value = stencil::detail::ArrayValue<Fields>;

  /// Of which nothing is known: NaN, where a type has it.
  static std::vector<Value> unset_values(const grid::FieldLayout& layout) {
    if constexpr (mixed)
      return std::vector<Value>(bytes_before(Fields::count, layout), std::byte{0xff});
    else
      return std::vector<Value>(static_cast<std::size_t>(layout.size()), unset<T>());
  }

  static void set(std::vector<Value>& values, const grid::FieldLayout& layout, const grid::Triple& cell,
                  int field, T value) {
    if constexpr (mixed)
      at(layout, cell, field, [&]<class Stored>(std::size_t place) {
        const auto stored = static_cast<Stored>(value);
        std::memcpy(values.data() + place, &stored, sizeof(Stored));
      });
    else
      values[static_cast<std::size_t>(layout.at(cell, field))] = value;
  }

  static T get(const std::vector<Value>& values, const grid::FieldLayout& layout, const grid::Triple& cell,
               int field) {
    T value{};
    if constexpr (mixed)
      at(layout, cell, field, [&]<class Stored>(std::size_t place) {
        Stored stored;
        std::memcpy(&stored, values.data() + place, sizeof(Stored));
        value = static_cast<T>(stored);
      });
    else
      value = values[static_cast<std::size_t>(layout.at(cell, field))];
    return value;
  }

  /// Start values that memory keeps as they are.
  static std::vector<T> start(grid::Index cells, unsigned seed) {
    std::vector<T> all;
    for (int field = 0; field < Fields::count; ++field) {
      const auto add = [&]<class Stored>() {
        for (const Stored value : start_values<Stored>(cells, seed + 100 * static_cast<unsigned>(field)))
          all.push_back(static_cast<T>(value));
      };
      if constexpr (mixed)
        with_stored(field, add);
      else
        add.template operator()<T>();
    }
    return all;
  }

 private:
  template <int Field = 0, class Visit>
  static void with_stored(int field, const Visit& visit) {
    if (field == Field) return visit.template operator()<typename Fields::template stored<Field>>();
    if constexpr (Field + 1 < Fields::count) with_stored<Field + 1>(field, visit);
  }

  static std::size_t bytes_before(int field, const grid::FieldLayout& layout) {
    std::size_t bytes = 0;
    for (int other = 0; other < field; ++other)
      with_stored(other, [&]<class Stored>() {
        bytes += static_cast<std::size_t>(layout.quantity_size) * sizeof(Stored);
      });
    return bytes;
  }

  template <class Visit>
  static void at(const grid::FieldLayout& layout, const grid::Triple& cell, int field, const Visit& visit) {
    with_stored(field, [&]<class Stored>() {
      visit.template operator()<Stored>(bytes_before(field, layout) +
                                        static_cast<std::size_t>(layout.at(cell)) * sizeof(Stored));
    });
  }
};

}  // namespace haloheap::testing

#endif
