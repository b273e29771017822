// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/core/coherence/placement.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace haloheap::coherence {
namespace {

std::string text(const Workers& workers) {
  if (workers.count == 0) return "the host";
  return workers.count == 1 ? "one device" : fmt::format("{} devices", workers.count);
}

}  // namespace

Placement::Placement(Context& context, Clock clock)
    : context_(context),
      clock_(clock ? std::move(clock) : Clock(base::steady_seconds)),
      candidates_{the_host} {
  for (int count = 1; count <= context.devices(); ++count) candidates_.push_back({0, count});
}

void Placement::Choice::add(double seconds, std::size_t candidates) {
  if (best_.size() <= candidate_) best_.push_back(seconds);
  best_[candidate_] = std::min(best_[candidate_], seconds);
  if (++tried_ < tries) return;
  tried_ = 0;
  if (++candidate_ < candidates) return;
  made_ = true;
  candidate_ = static_cast<std::size_t>(std::min_element(best_.begin(), best_.end()) - best_.begin());
}

Placement::Choice& Placement::choice_of(const std::string& name, ElementIndex size) {
  const auto elements = static_cast<std::uint64_t>(std::max<ElementIndex>(1, size));
  return choices_[{name, std::bit_width(elements - 1)}];
}

double Placement::fenced_time() {
  context_.fence();
  return clock_();
}

std::string Placement::report() const {
  std::string lines;
  for (const auto& [key, choice] : choices_) {
    if (!choice.made()) continue;
    lines += fmt::format("'{}' of up to {} elements: {}, by", key.first, ElementIndex{1} << key.second,
                         text(candidates_[choice.candidate()]));
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      lines +=
          fmt::format("{} {:.3g} us by {}", i == 0 ? "" : ",", 1e6 * choice.best()[i], text(candidates_[i]));
    lines += '\n';
  }
  return lines;
}

}  // namespace haloheap::coherence
