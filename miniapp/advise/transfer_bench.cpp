// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/advise/transfer_bench.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace haloheap::advise {

std::map<std::string, deck::Value> keys_of(const TransferChoice& choice) {
  return {{"transfer.mode", choice.mode},
          {"transfer.schedule", name_of(choice.schedule)},
          {"transfer.streams", std::int64_t{choice.streams}}};
}

TransferDeckBench::TransferDeckBench(const deck::Deck& deck, PointRunner& runner)
    : deck_(deck.with({{"run.warmup", std::int64_t{2}}})), runner_(runner) {}

/// Short runs differ by more than choices do.
std::int64_t TransferDeckBench::repetitions(const std::string& mode) const {
  constexpr double enough = 20e-3;  // seconds
  constexpr std::int64_t minimum = 5, maximum = 100;
  const auto known = seconds_.find(mode);
  if (known == seconds_.end() || !(known->second > 0)) return minimum;
  return std::clamp(static_cast<std::int64_t>(enough / known->second), minimum, maximum);
}

std::optional<double> TransferDeckBench::run(const TransferChoice& choice) {
  auto keys = keys_of(choice);
  keys["run.repetitions"] = repetitions(choice.mode);
  const auto point = runner_.run(deck_.with(keys), fmt::format("transfer mode {}", choice.mode),
                                 seconds_.empty() ? PointRunner::always : PointRunner::no_limit);
  if (!point) return std::nullopt;
  // Of a stencil the copies of its field count, of other problems the whole.
  const auto h2d = point->number("h2d_us"), d2h = point->number("d2h_us");
  return seconds_[choice.mode] = h2d && d2h ? 1e-6 * (*h2d + *d2h) : point->number("wall_s.median").value();
}

}  // namespace haloheap::advise
