// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_EXCHANGED_FIELDS_HPP
#define HALOHEAP_COMM_HALO_EXCHANGED_FIELDS_HPP

#include <haloheap/comm/halo/field_data.hpp>
#include <haloheap/comm/halo_plan.hpp>
#include <haloheap/comm/kernels/halo_blocks.hpp>
#include <haloheap/comm/value_type.hpp>
#include <haloheap/core/base/error.hpp>

#include <optional>
#include <string>
#include <vector>

namespace haloheap::comm {

/// One field of an exchange, in both of its sets.
struct ExchangedField {
  detail::FieldShape shape;
  detail::ForEachSet data{};  ///< where the field of each set starts; the same twice if there is one set
  ValueType type = ValueType::bytes;
};

/// What is in memory of one of several fields.
struct StoredField {
  ValueType type;
  grid::Index bytes;  ///< of a value
};

/// What HaloExchange is given to exchange: fields whose values are bytes to it. Who makes it from what users
/// have says so, and what is wrong with it; all ranks are told.
struct ExchangedFields {
  HaloBounds bounds;
  std::vector<ExchangedField> fields;
  std::optional<UsageError> problem = std::nullopt;
  std::string owner = "HaloExchange";  ///< the class that the user knows, for messages
  detail::Flow flow = detail::Flow::fill;

  /// Double-buffered fields of one layout, or the same field twice.
  static ExchangedFields of(const grid::FieldLayout& layout, ValueType type, std::size_t value_bytes,
                            const FieldMemory& first, const FieldMemory& second);
  /// The same of fields of several types, one behind the other in one array.
  static ExchangedFields of_mixed(const grid::FieldLayout& layout, const std::vector<StoredField>& stored,
                                  std::byte* first, std::byte* second);
  template <class T>
  static ExchangedFields of(const grid::FieldLayout& layout, const FieldPair<T>& fields) {
    return of(layout, value_type_of<T>(), sizeof(T), fields.first, fields.second);
  }

  /// @throws UsageError for a layout without room for its own halo
  static void require_room(const grid::FieldLayout& layout);
};

}  // namespace haloheap::comm

#endif
