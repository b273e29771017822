// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/transfer/mode.hpp>
#include <haloheap/miniapp/advise/advice_parts.hpp>
#include <haloheap/miniapp/advise/transfer_advice.hpp>
#include <haloheap/miniapp/advise/transfer_bench.hpp>

namespace haloheap::advise {
namespace {

using deck::Deck;
using report::Table;

constexpr double microseconds = 1e6;

Table stream_table(const TransferAdvice& advice) {
  Table table{{"mode", {}, false},     {"schedule", {}, false},        {"longest [us]", {}, true},
              {"rest [us]", {}, true}, {"each stream [us]", {}, true}, {"residual [%]", {}, true}};
  for (const TransferPath& path : advice.paths) {
    const auto keys = keys_of(TransferChoice{path.mode, path.schedule, 1});
    const std::string cells[] = {path.mode,
                                 deck::to_string(keys.at("transfer.schedule")),
                                 fmt::format("{:.2f}", microseconds * path.model.longest),
                                 fmt::format("{:.2f}", microseconds * path.model.rest),
                                 fmt::format("{:.3f}", microseconds * path.model.per_stream),
                                 fmt::format("{:.1f}", 100 * path.model.residual)};
    for (std::size_t i = 0; i < table.size(); ++i) table[i].cells.push_back(cells[i]);
  }
  return table;
}

}  // namespace

Advice advise_transfers(const Deck& deck, const Scope& scope, PointRunner& runner) {
  TransferOptions options;
  options.modes = choices<std::string>(deck, scope, "transfer.mode", transfer::modes().names());
  for (const auto& name :
       choices<std::string>(deck, scope, "transfer.schedule", all_names<transfer::Schedule>()))
    options.schedules.push_back(from_name<transfer::Schedule>(name));
  for (const auto streams :
       choices<std::int64_t>(deck, scope, "transfer.streams", {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}))
    options.streams.push_back(static_cast<int>(streams));
  TransferDeckBench bench(without_auto(deck), runner);
  const TransferAdvice found = advise_transfer(options, bench);
  if (found.candidates.empty()) nothing_measured(runner);
  const TransferCandidate& best = found.candidates.front();
  Advice advice;
  for (const auto& [key, value] : keys_of(best.choice))
    if (scope.open(deck, key)) advice.keys[key] = value;
  advice.why = in_words(advice.keys) + ": " + reason(best, "a run", found.residual);
  advice.tables = {
      stream_table(found),
      candidate_table(
          found.candidates, [](const TransferChoice& choice) { return keys_of(choice); }, "run")};
  return advice;
}

}  // namespace haloheap::advise
