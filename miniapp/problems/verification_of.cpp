// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/verification_of.hpp>

#include <fmt/format.h>

namespace haloheap {

report::Verification verification_of(std::size_t wrong, std::size_t all, const std::string& what) {
  report::Verification result;
  result.bitwise = wrong == 0;
  if (wrong > 0) result.differs = fmt::format("{} of {} {}", wrong, all, what);
  return result;
}

}  // namespace haloheap
