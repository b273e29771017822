// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/rect.hpp>

#include <fmt/format.h>

namespace haloheap::coherence {

std::string to_string(const Rect& rect, bool vector) {
  if (vector) return fmt::format("[{}, {})", rect.column, rect.column_end);
  return fmt::format("rows [{}, {}) columns [{}, {})", rect.row, rect.row_end, rect.column, rect.column_end);
}

}  // namespace haloheap::coherence
