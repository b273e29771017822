// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/containers/container_point.hpp>
#include <haloheap/miniapp/problems/containers/lu.hpp>
#include <haloheap/miniapp/problems/containers/lu_app.hpp>
#include <haloheap/miniapp/problems/containers/lu_schema.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

/// The paper's way numbers elements by 32-bit integers.
constexpr std::int64_t most_rows_whole = 46340;

LuSettings read_lu(const deck::Deck& deck) {
  return {deck.get<std::int64_t>("lu.size"), deck.get<std::int64_t>("lu.block"), deck.get<bool>("lu.pivot")};
}

bool is_whole(const deck::Deck& deck) {
  return deck.choice<LuMethod>("lu.method") == LuMethod::whole;
}

void require_possible(const LuSettings& settings) {
  if (settings.pivot)
    throw UsageError("lu.method \"whole\" has no pivoting", "rows cannot change places within a call",
                     "use lu.method = \"blocked\", or lu.pivot = false");
  if (settings.size > most_rows_whole)
    throw UsageError(fmt::format("lu.method \"whole\" has at most {} rows, and lu.size is {}",
                                 most_rows_whole, settings.size),
                     "its elements are numbered by 32-bit integers", "use lu.method = \"blocked\"");
}

template <class T>
std::unique_ptr<ContainerApp> make_app(const deck::Deck& deck) {
  const LuSettings settings = read_lu(deck);
  return is_whole(deck) ? make_lu_whole<T>(settings) : make_lu_blocked<T>(settings);
}

}  // namespace

const report::Quantities<LuResult>& lu_quantities() {
  using report::Shown;
  static const report::Quantities<LuResult> all = {
      {{"figures.gflops", "GFlop/s", "rate", "1e9 operations a second, of which an LU of n rows has 2/3 n^3.",
        Shown{"GFlop/s"}},
       &LuResult::gflops},
      {{"figures.residual", "", "residual",
        "The largest |L U - P A| over rows * largest |A| * epsilon; of large matrices |(L U - P A) x| / "
        "sqrt(rows) for "
        "random x of +-1 in its place.",
        Shown{}},
       &LuResult::residual},
  };
  return all;
}

namespace {

class Lu final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    const auto options = read_coherence(deck, ranks);
    const LuSettings settings = read_lu(deck);
    if (is_whole(deck)) require_possible(settings);
    const std::string how = is_whole(deck)   ? "in whole vectors"
                            : settings.pivot ? fmt::format("in {} rows a step, with pivoting", settings.block)
                                             : fmt::format("in {} rows a step", settings.block);
    return fmt::format("LU of {} x {} elements, {}, on {}\n", settings.size, settings.size, how,
                       describe(options));
  }
  report::QuantityList quantities() const override { return container_quantities(lu_quantities()); }
  double updates(const deck::Deck& /*deck*/) const override { return 0; }
  report::Point run(const RunContext& context) override {
    const bool narrow = context.deck.choice<Precision>("lu.precision") == Precision::float_;
    const auto app = narrow ? make_app<float>(context.deck) : make_app<double>(context.deck);
    return run_container_point(context, *app);
  }
};

}  // namespace

std::unique_ptr<Problem> make_lu() {
  return std::make_unique<Lu>();
}

}  // namespace haloheap
