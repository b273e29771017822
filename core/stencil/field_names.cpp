// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/stencil/field_names.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace haloheap::stencil::detail {

std::vector<Outside> in_order(const std::vector<std::string>& names,
                              const std::vector<std::pair<std::string, Outside>>& by_name) {
  const auto refuse = [&](const std::string& cause) {
    throw UsageError(cause, "what is outside the grid is not known of all fields",
                     fmt::format("give one entry for each field: {}", fmt::join(names, ", ")));
  };
  std::vector<std::optional<Outside>> found(names.size());
  for (const auto& [name, outside] : by_name) {
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    if (at == std::ssize(names)) refuse(fmt::format("the update rule has no field '{}'", name));
    auto& entry = found[static_cast<std::size_t>(at)];
    if (entry) refuse(fmt::format("a side of the grid has two entries for the field '{}'", name));
    entry = outside;
  }
  std::vector<Outside> result;
  for (std::size_t field = 0; field < names.size(); ++field) {
    if (!found[field])
      refuse(fmt::format("a side of the grid has no entry for the field '{}'", names[field]));
    result.push_back(*found[field]);
  }
  return result;
}

}  // namespace haloheap::stencil::detail
