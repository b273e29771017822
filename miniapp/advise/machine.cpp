// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/transfer/mode.hpp>
#include <haloheap/miniapp/advise/machine.hpp>
#include <haloheap/miniapp/problems/transfers/bandwidth_run.hpp>

#include <fmt/format.h>

namespace haloheap::advise {
namespace {

constexpr std::int64_t small_bytes = 4, large_bytes = std::int64_t{16} << 20;

struct LinkCost {
  double latency = 0;  ///< seconds of a small copy, from the call to its end
  double rate = 0;     ///< bytes/s of a large one
};

std::optional<LinkCost> measure(const deck::Deck& deck, PointRunner& runner, const std::string& mode,
                                CopiedBy by, BandwidthPath path) {
  LinkCost cost;
  for (const std::int64_t bytes : {small_bytes, large_bytes}) {
    const auto point = runner.run(deck.with({{"transfer.mode", mode},
                                             {"transfer.bytes", bytes},
                                             {"bandwidth.by", name_of(by)},
                                             {"bandwidth.path", name_of(path)}}),
                                  fmt::format("mode {} by {}", mode, name_of(by)));
    if (!point) return std::nullopt;
    if (bytes == small_bytes) cost.latency = 1e-6 * point->number(BandwidthFigures::single).value();
    if (bytes == large_bytes) cost.rate = 1e9 * point->number(BandwidthFigures::rate).value();
  }
  return cost;
}

}  // namespace

report::Table link_table(const deck::Deck& deck, PointRunner& runner) {
  report::Table table{{"mode", {}, false},      {"by", {}, false},      {"H2D [GB/s]", {}, true},
                      {"D2H [GB/s]", {}, true}, {"H2D [us]", {}, true}, {"D2H [us]", {}, true}};
  const deck::Deck quick = deck.with({{"problem", std::string("bandwidth")},
                                      {"run.repetitions", std::int64_t{3}},
                                      {"run.warmup", std::int64_t{1}}});
  for (const transfer::ModeEntry& mode : transfer::modes()) {
    if (!mode.unavailable_reason().empty()) continue;
    for (const CopiedBy by : {CopiedBy::copies, CopiedBy::kernel}) {
      const auto h2d = measure(quick, runner, mode.name, by, BandwidthPath::h2d);
      const auto d2h = h2d ? measure(quick, runner, mode.name, by, BandwidthPath::d2h) : std::nullopt;
      if (!h2d || !d2h) continue;  // the mode leaves it to kernels, or kernels do not reach its memory
      const std::string cells[] = {mode.name,
                                   name_of(by),
                                   fmt::format("{:.2f}", 1e-9 * h2d->rate),
                                   fmt::format("{:.2f}", 1e-9 * d2h->rate),
                                   fmt::format("{:.2f}", 1e6 * h2d->latency),
                                   fmt::format("{:.2f}", 1e6 * d2h->latency)};
      for (std::size_t i = 0; i < table.size(); ++i) table[i].cells.push_back(cells[i]);
      break;
    }
  }
  return table;
}

}  // namespace haloheap::advise
