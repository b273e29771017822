// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_VALUE_TYPE_HPP
#define HALOHEAP_COMM_VALUE_TYPE_HPP

#include <haloheap/core/base/names.hpp>

#include <cstdint>
#include <type_traits>

namespace haloheap::comm {

/// What the values of a field are to an exchange: bytes, or numbers that it can add.
enum class ValueType { bytes, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 };

constexpr auto names_of(ValueType) {
  using enum ValueType;
  return name_table<ValueType>("type of values", {{bytes, "bytes"},
                                                  {f32, "float"},
                                                  {f64, "double"},
                                                  {i8, "int8"},
                                                  {i16, "int16"},
                                                  {i32, "int32"},
                                                  {i64, "int64"},
                                                  {u8, "uint8"},
                                                  {u16, "uint16"},
                                                  {u32, "uint32"},
                                                  {u64, "uint64"}});
}

/// `bytes` for what is no arithmetic type, and for bool and long double.
template <class T>
constexpr ValueType value_type_of() {
  using enum ValueType;
  if constexpr (std::is_same_v<T, float>) return f32;
  if constexpr (std::is_same_v<T, double>) return f64;
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    constexpr bool is_signed = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 1) return is_signed ? i8 : u8;
    if constexpr (sizeof(T) == 2) return is_signed ? i16 : u16;
    if constexpr (sizeof(T) == 4) return is_signed ? i32 : u32;
    if constexpr (sizeof(T) == 8) return is_signed ? i64 : u64;
  }
  return bytes;
}

/// Calls visit.template operator()<T>() with the type that `type` stands for; not for `bytes`.
template <class Visit>
void with_value_type(ValueType type, const Visit& visit) {
  using enum ValueType;
  switch (type) {
    case bytes:
      return;
    case f32:
      return visit.template operator()<float>();
    case f64:
      return visit.template operator()<double>();
    case i8:
      return visit.template operator()<std::int8_t>();
    case i16:
      return visit.template operator()<std::int16_t>();
    case i32:
      return visit.template operator()<std::int32_t>();
    case i64:
      return visit.template operator()<std::int64_t>();
    case u8:
      return visit.template operator()<std::uint8_t>();
    case u16:
      return visit.template operator()<std::uint16_t>();
    case u32:
      return visit.template operator()<std::uint32_t>();
    case u64:
      return visit.template operator()<std::uint64_t>();
  }
}

}  // namespace haloheap::comm

#endif
