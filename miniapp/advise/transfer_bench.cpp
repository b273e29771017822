// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/advise/transfer_bench.hpp>

#include <fmt/format.h>

namespace haloheap::advise {
namespace {

std::string name_of(transfer::Schedule schedule) {
  if (schedule == transfer::Schedule::none) return "none";
  return schedule == transfer::Schedule::depth_first ? "depth_first" : "breadth_first";
}

}  // namespace

std::map<std::string, deck::Value> keys_of(const TransferChoice& choice) {
  return {{"transfer.mode", choice.mode},
          {"transfer.schedule", name_of(choice.schedule)},
          {"transfer.streams", std::int64_t{choice.streams}}};
}

TransferDeckBench::TransferDeckBench(const deck::Deck& deck, PointRunner& runner)
    : deck_(deck.with({{"run.repetitions", std::int64_t{5}}, {"run.warmup", std::int64_t{2}}})),
      runner_(runner) {}

std::optional<double> TransferDeckBench::run(const TransferChoice& choice) {
  const auto point = runner_.run(deck_.with(keys_of(choice)), fmt::format("transfer mode {}", choice.mode));
  if (!point) return std::nullopt;
  return point->travel ? point->travel->up + point->travel->down : point->wall.median;
}

}  // namespace haloheap::advise
