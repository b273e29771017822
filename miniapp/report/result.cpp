// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/result.hpp>

#include <fmt/format.h>

namespace haloheap::report {

Verification verification_of(std::size_t wrong, std::size_t all, const std::string& what) {
  return verification_of(wrong > 0 ? fmt::format("{} of {} {}", wrong, all, what) : "");
}

Verification verification_of(const std::string& differs) {
  Verification result;
  result.bitwise = differs.empty();
  result.differs = differs;
  return result;
}

const deck::Value* Point::find(std::string_view name) const {
  for (const Measurement& measurement : measured)
    if (measurement.quantity->name == name) return &measurement.value;
  return nullptr;
}

std::optional<double> Point::number(std::string_view name) const {
  const deck::Value* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (const auto* real = std::get_if<double>(value)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(value)) return static_cast<double>(*integer);
  return std::nullopt;
}

}  // namespace haloheap::report
