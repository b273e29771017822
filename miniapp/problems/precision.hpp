// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_PRECISION_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_PRECISION_HPP

#include <haloheap/core/base/names.hpp>

namespace haloheap {

/// Type of the elements that a problem computes with.
enum class Precision { float32, float64 };

constexpr auto names_of(Precision) {
  return name_table<Precision>("precision", {{Precision::float32, "float"}, {Precision::float64, "double"}});
}

/// Calls f with a value of the type that it names.
template <class F>
auto in_precision(Precision precision, const F& f) {
  return precision == Precision::float32 ? f(float{}) : f(double{});
}

}  // namespace haloheap

#endif
