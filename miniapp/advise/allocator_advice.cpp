// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/advise/advice_parts.hpp>
#include <haloheap/miniapp/advise/allocator_advice.hpp>
#include <haloheap/miniapp/problems/allocators/allocator_settings.hpp>
#include <haloheap/miniapp/report/comparisons.hpp>

#include <cmath>
#include <limits>

namespace haloheap::advise {
namespace {

using deck::Deck;
using report::Table;

}  // namespace

/// There is no formula for them: each does what the deck asks for.
Advice advise_allocators(const Deck& deck, const Scope& scope, PointRunner& runner) {
  Advice advice;
  Table table{{"allocator", {}, false}, {"measured [us]", {}, true}};
  double minimum = std::numeric_limits<double>::infinity();
  const Deck quick = deck.with({{"run.repetitions", std::int64_t{3}}, {"run.warmup", std::int64_t{1}}});
  for (const std::string& name : choices<std::string>(deck, scope, "allocator.name", all_allocators())) {
    const auto point = runner.run(quick.with({{"allocator.name", name}}), "allocator " + name,
                                  std::isinf(minimum) ? PointRunner::always : PointRunner::no_limit);
    if (!point || (point->verification && !point->verification->passed())) continue;
    const auto time = merit_of(*point);  // microseconds
    if (!time) continue;
    table[0].cells.push_back(name);
    table[1].cells.push_back(fmt::format("{:.2f}", *time));
    if (*time >= minimum) continue;
    minimum = *time;
    advice.keys["allocator.name"] = name;
  }
  if (advice.keys.empty()) nothing_measured(runner);
  advice.why = fmt::format("{}: measured {:.4g} us", in_words(advice.keys), minimum);
  advice.tables = {table};
  return advice;
}

}  // namespace haloheap::advise
