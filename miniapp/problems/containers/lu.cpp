// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/names.hpp>
#include <haloheap/miniapp/problems/containers/container_point.hpp>
#include <haloheap/miniapp/problems/containers/lu_app.hpp>
#include <haloheap/miniapp/problems/precision.hpp>
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <fmt/format.h>

namespace haloheap {

/// How a matrix is taken apart (deck: lu.method).
enum class LuMethod { blocked, whole };

constexpr auto names_of(LuMethod) {
  return name_table<LuMethod>("method", {{LuMethod::blocked, "blocked"}, {LuMethod::whole, "whole"}});
}

namespace {

void add_lu_keys(deck::Schema& schema) {
  deck::Section& lu = schema.section("lu", "Problem lu: a matrix is taken apart into L and U");
  lu.integer("size", 1024).range(1, 1 << 17).unit("rows").help("Rows, and columns, of the matrix");
  lu.choice("method", LuMethod::blocked)
      .help(
          "blocked: sub-matrices of one matrix; whole: a call a column reads all of one vector and writes "
          "all of another, as in [Dastgeer2016]");
  lu.integer("block", 64).range(1, 512).unit("rows").help("Method blocked: rows that are finished in a step");
  lu.boolean("pivot", false)
      .help(
          "Method blocked: rows change places (partial pivoting, on the host); without it the matrix is "
          "diagonally dominant");
  lu.choice("precision", Precision::float32).help("Of the elements");
}

/// The way of [Dastgeer2016] numbers elements by 32-bit integers.
constexpr std::int64_t max_rows_whole = 46340;

LuSettings read_lu(const deck::Deck& deck) {
  return {deck.get<std::int64_t>("lu.size"), deck.get<std::int64_t>("lu.block"), deck.get<bool>("lu.pivot")};
}

bool is_whole(const deck::Deck& deck) {
  return deck.choice<LuMethod>("lu.method") == LuMethod::whole;
}

void require_possible(const deck::Deck& deck, const LuSettings& settings) {
  if (settings.pivot)
    deck.reject("lu.pivot", "lu.method \"whole\" has no pivoting: rows cannot change places within a call",
                "use lu.method = \"blocked\", or lu.pivot = false");
  if (settings.size > max_rows_whole)
    deck.reject(
        "lu.size",
        fmt::format(
            "lu.method \"whole\" has at most {} rows, and lu.size is {}: its elements are numbered by "
            "32-bit integers",
            max_rows_whole, settings.size),
        "use lu.method = \"blocked\"");
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

/// LU factorisation on smart containers: as the application of [Dastgeer2016] does it, with two vectors by
/// turns, and on sub-matrices, where only what another device needs goes there.
class Lu final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    const auto options = read_coherence(deck, ranks);
    const LuSettings settings = read_lu(deck);
    if (is_whole(deck)) require_possible(deck, settings);
    const std::string how = is_whole(deck)   ? "in whole vectors"
                            : settings.pivot ? fmt::format("in {} rows a step, with pivoting", settings.block)
                                             : fmt::format("in {} rows a step", settings.block);
    return fmt::format("LU of {} x {} elements, {}, on {}\n", settings.size, settings.size, how,
                       describe(options));
  }
  report::QuantityList quantities() const override { return container_quantities(lu_quantities()); }
  report::Point run(const RunContext& context) override {
    const bool narrow = context.deck.choice<Precision>("lu.precision") == Precision::float32;
    const auto app = narrow ? make_app<float>(context.deck) : make_app<double>(context.deck);
    return run_container_point(context, *app);
  }
};

}  // namespace

ProblemEntry lu_problem() {
  return {"lu", "L and U of a matrix ([Dastgeer2016])", {add_coherence_keys, add_lu_keys}, make_problem<Lu>};
}

}  // namespace haloheap
