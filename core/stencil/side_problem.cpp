// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/stencil/side_problem.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace haloheap::stencil {
namespace {

std::string text_of(const Outside& outside) {
  switch (outside.kind) {
    case Outside::Kind::value:
      return fmt::format("value({})", outside.number);
    case Outside::Kind::mirror:
      return fmt::format("mirror({})", outside.number);
    case Outside::Kind::outflow:
      return "outflow()";
    case Outside::Kind::rule:
      break;
  }
  return "rule()";
}

/// What no side of a rule with `plain_sides` may be.
void require_plain(const Outside& outside, int dim, const char* end) {
  if (outside.kind == Outside::Kind::value || (outside.kind == Outside::Kind::mirror && outside.number == 1))
    return;
  throw UsageError(fmt::format("the {} side of {} is Outside::{}, and the update rule says plain_sides", end,
                               "xyz"[dim], text_of(outside)),
                   "its kernels would mirror there",
                   "use value(number) or mirror(), or a rule that does not say so");
}

void require_side(const std::vector<Outside>& side, int dim, const char* end,
                  const std::vector<std::string>& fields, bool says_outside, bool plain) {
  const std::size_t entries = side.size();
  if (entries != 1 && entries != fields.size())
    throw UsageError(fmt::format("the {} side of {} has {} entries for the {} fields of the update rule, {}",
                                 end, "xyz"[dim], entries, fields.size(), fmt::join(fields, ", ")),
                     "what is outside the grid is not known of all fields",
                     "give one for each field, or one for all of them");
  for (const Outside& outside : side) {
    if (outside.kind == Outside::Kind::mirror && outside.number != 1 && outside.number != -1)
      throw UsageError(
          fmt::format("the {} side of {} mirrors with the factor {}", end, "xyz"[dim], outside.number),
          "only a sign keeps the bits of a value", "use Outside::mirror(1) or Outside::mirror(-1)");
    if (outside.kind == Outside::Kind::rule && !says_outside)
      throw UsageError(
          fmt::format("the {} side of {} is left to an update rule that does not say what is outside", end,
                      "xyz"[dim]),
          "cells outside the grid would have no value",
          "give the rule a member T outside(int field, const Ghost<T>& ghost) const");
    if (plain) require_plain(outside, dim, end);
  }
}

}  // namespace

void require_sides(const SideRules& sides, int dims, const std::vector<std::string>& fields,
                   bool says_outside, bool plain) {
  for (int dim = 0; dim < dims; ++dim) {
    const auto& low = sides.low[static_cast<std::size_t>(dim)];
    const auto& high = sides.high[static_cast<std::size_t>(dim)];
    if (low.empty() != high.empty())
      throw UsageError(fmt::format("the {} side of {} has entries and the {} side has none",
                                   low.empty() ? "high" : "low", "xyz"[dim], low.empty() ? "low" : "high"),
                       "the grid would end at one side and wrap around at the other",
                       "give both sides, or neither where the grid wraps around");
    if (low.empty()) continue;
    require_side(low, dim, "low", fields, says_outside, plain);
    require_side(high, dim, "high", fields, says_outside, plain);
  }
}

std::string text_of(const SideRules& sides, int dims) {
  std::string text;
  for (int dim = 0; dim < dims; ++dim)
    for (const auto* side :
         {&sides.low[static_cast<std::size_t>(dim)], &sides.high[static_cast<std::size_t>(dim)]}) {
      text += text.empty() ? "" : "; ";
      if (side->empty()) text += "periodic";
      for (const Outside& outside : *side) text += (&outside == side->data() ? "" : " ") + text_of(outside);
    }
  return text;
}

}  // namespace haloheap::stencil
