// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_PRECISION_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_PRECISION_HPP

#include <haloheap/core/base/names.hpp>

namespace haloheap {

/// Type of the elements that a problem computes with.
enum class Precision { float_, double_ };

constexpr auto names_of(Precision) {
  return name_table<Precision>("precision", {{Precision::float_, "float"}, {Precision::double_, "double"}});
}

}  // namespace haloheap

#endif
