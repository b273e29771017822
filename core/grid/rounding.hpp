// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_ROUNDING_HPP
#define HALOHEAP_CORE_GRID_ROUNDING_HPP

#include <haloheap/backend/function.hpp>

namespace haloheap::grid::detail {

/// n / by, rounded up; n from 0 on.
HALOHEAP_FUNCTION constexpr int divide_up(int n, int by) {
  return (n + by - 1) / by;
}

/// The largest multiple of `width` that is not above n, of either sign.
HALOHEAP_FUNCTION constexpr int multiple_below(int n, int width) {
  return n >= 0 ? n / width * width : -divide_up(-n, width) * width;
}

}  // namespace haloheap::grid::detail

#endif
