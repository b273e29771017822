// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/verification_of.hpp>

#include <fmt/format.h>

namespace haloheap {

report::Verification verification_of(std::size_t wrong, std::size_t all, const std::string& what) {
  return verification_of(wrong > 0 ? fmt::format("{} of {} {}", wrong, all, what) : "");
}

report::Verification verification_of(const std::string& differs) {
  report::Verification result;
  result.bitwise = differs.empty();
  result.differs = differs;
  return result;
}

}  // namespace haloheap
