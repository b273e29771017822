// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/deck/findings.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace haloheap::deck {

void Findings::add(Origin origin, std::string key, std::string text) {
  findings_.push_back({std::move(origin), key.empty() ? std::move(text) : fmt::format("{}: {}", key, text)});
}

void Findings::raise() const {
  if (findings_.empty()) return;
  std::vector<Finding> sorted = findings_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Finding& left, const Finding& right) {
    const auto place = [](const Origin& origin) {
      return std::tuple(origin.line == 0, origin.line, origin.column);  // the command line has no lines
    };
    return place(left.origin) < place(right.origin);
  });
  std::string cause;
  for (const Finding& finding : sorted) {
    cause += fmt::format("{}{}: {}", cause.empty() ? "" : "\n", to_string(finding.origin), finding.text);
  }
  throw UsageError(cause, "nothing was run", "haloheap --deck-reference lists all keys and what they accept");
}

}  // namespace haloheap::deck
