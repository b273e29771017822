// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/solver_problem.hpp>
#include <haloheap/miniapp/advise/advice_parts.hpp>
#include <haloheap/miniapp/advise/solver_advice.hpp>
#include <haloheap/miniapp/problems/solvers/implicit_settings.hpp>

#include <cmath>

namespace haloheap::advise {
namespace {

using comm::SolverMethod;
using deck::Deck;
using report::Table;

constexpr const char* method_key = "solver.method";
constexpr const char* preconditioner_key = "solver.preconditioner";

const char* key_of(SolverSteps steps) {
  switch (steps) {
    case SolverSteps::block:
      return "solver.block_steps";
    case SolverSteps::inner:
      return "solver.inner_steps";
    case SolverSteps::smoothing:
      return "solver.smoothing_steps";
    case SolverSteps::none:
      break;
  }
  return nullptr;
}

/// The numbers of steps that a choice may have.
std::vector<std::int64_t> steps_for(const Deck& deck, const Scope& scope, const SolverChoice& choice) {
  switch (steps_of(choice)) {
    case SolverSteps::block:
      return choices<std::int64_t>(deck, scope, "solver.block_steps", {2, 3, 4, 8});
    case SolverSteps::inner:
      return choices<std::int64_t>(deck, scope, "solver.inner_steps", {5, 10, 20, 40});
    case SolverSteps::smoothing:
      return choices<std::int64_t>(deck, scope, "solver.smoothing_steps", {1, 2, 3});
    case SolverSteps::none:
      break;
  }
  return {1};
}

/// Whether a method may have a preconditioner, for all that the library knows of both.
bool fits(const SolverChoice& choice) {
  comm::SolverConfig config;
  config.preconditioner = library_preconditioner(choice.preconditioner);
  return !comm::solver_problem(choice.method, config);
}

/// Solves one step of a deck.
class SolverDeckBench final : public SolverBench {
 public:
  SolverDeckBench(const Deck& deck, PointRunner& runner)
      : deck_(deck.with({{"grid.steps", std::int64_t{1}},
                         {"run.repetitions", std::int64_t{1}},
                         {"run.warmup", std::int64_t{1}},
                         {"run.verify", true}})),
        runner_(runner) {}

  std::optional<SolverTrial> run(const SolverChoice& choice, int max_iterations) override {
    auto keys = keys_of(choice);
    keys["solver.max_iterations"] =
        std::min<std::int64_t>(max_iterations, deck_.get<std::int64_t>("solver.max_iterations"));
    const auto point =
        runner_.run(deck_.with(keys), in_words(choice), first_ ? PointRunner::always : PointRunner::no_limit);
    if (!point) return std::nullopt;
    first_ = false;
    return SolverTrial{point->number("wall_s.median").value(),
                       static_cast<int>(point->number("figures.iterations").value()),
                       point->verification && point->verification->passed(),
                       point->number("figures.condition"), point->number("figures.reference_residual")};
  }

 private:
  static std::string in_words(const SolverChoice& choice) {
    std::string words =
        fmt::format("method {}, preconditioner {}", name_of(choice.method), name_of(choice.preconditioner));
    if (steps_of(choice) != SolverSteps::none) words += fmt::format(", {} steps", choice.steps);
    return words;
  }

  Deck deck_;
  PointRunner& runner_;
  bool first_ = true;
};

Table candidates_of(const SolverAdvice& advice) {
  Table table{
      {"method", {}, false},    {"preconditioner", {}, false},   {"steps", {}, true},
      {"iterations", {}, true}, {"an iteration [us]", {}, true}, {"predicted [ms/solution]", {}, true},
      {"measured", {}, true}};
  for (const SolverCandidate& candidate : advice.candidates) {
    const char* const more = advice.open_end && !candidate.measured ? "> " : "";
    const SolverChoice& choice = candidate.choice;
    const std::string cells[] = {name_of(choice.method),
                                 name_of(choice.preconditioner),
                                 steps_of(choice) == SolverSteps::none ? "" : std::to_string(choice.steps),
                                 fmt::format("{}{:.0f}", more, std::ceil(candidate.iterations)),
                                 fmt::format("{:.4g}", 1e6 * candidate.each),
                                 fmt::format("{}{:.4g}", more, 1e3 * candidate.predicted),
                                 candidate.measured ? fmt::format("{:.4g}", 1e3 * *candidate.measured) : "-"};
    for (std::size_t i = 0; i < table.size(); ++i) table[i].cells.push_back(cells[i]);
  }
  return table;
}

std::string reason_for(const SolverAdvice& advice) {
  const SolverCandidate& best = advice.candidates.front();
  std::string why = best.measured ? fmt::format("measured {:.4g} ms a solution", 1e3 * *best.measured)
                                  : fmt::format("predicted {:.4g} ms a solution, none was solved to the end",
                                                1e3 * best.predicted);
  if (advice.condition > 0) why += fmt::format("; condition number {:.3g}", advice.condition);
  if (advice.error > 0) why += fmt::format("; predictions up to {:.0f} % off", 100 * advice.error);
  return why;
}

}  // namespace

std::map<std::string, deck::Value> keys_of(const SolverChoice& choice) {
  std::map<std::string, deck::Value> keys = {{method_key, name_of(choice.method)},
                                             {preconditioner_key, name_of(choice.preconditioner)}};
  if (const char* key = key_of(steps_of(choice))) keys[key] = std::int64_t{choice.steps};
  return keys;
}

SolverOptions solver_options(const Deck& deck, const Scope& scope) {
  SolverOptions options;
  constexpr double least = 1e-16;  // of what can be asked for: 0 would take for ever
  options.tolerance = std::max(deck.get<double>("solver.tolerance"), least);
  options.symmetric = has_symmetric_operator(deck);
  options.first_iterations = deck.number("solver.first_iterations");
  const bool any_method = scope.open(deck, method_key);
  const bool any_preconditioner = scope.open(deck, preconditioner_key);
  for (const auto& method_name : choices<std::string>(deck, scope, method_key, all_names<SolverMethod>()))
    for (const auto& name :
         choices<std::string>(deck, scope, preconditioner_key, all_names<PreconditionerChoice>())) {
      SolverChoice choice{from_name<SolverMethod>(method_name), from_name<PreconditionerChoice>(name)};
      if (any_method && is_for_symmetric(choice.method) != options.symmetric) continue;
      if (any_preconditioner && needs_assembled(choice.preconditioner)) continue;
      if (!fits(choice)) continue;
      for (const std::int64_t steps : steps_for(deck, scope, choice)) {
        choice.steps = static_cast<int>(steps);
        options.choices.push_back(choice);
      }
    }
  return options;
}

Advice advise_solvers(const Deck& deck, const Scope& scope, PointRunner& runner) {
  SolverDeckBench bench(without_auto(deck), runner);
  const SolverOptions options = solver_options(deck, scope);
  const SolverAdvice found = advise_solver(options, bench);
  if (found.candidates.empty()) nothing_measured(runner);
  Advice advice;
  for (const auto& [key, value] : keys_of(found.candidates.front().choice))
    if (scope.open(deck, key)) advice.keys[key] = value;
  advice.why = in_words(advice.keys) + ": " + reason_for(found);
  advice.tables = {candidates_of(found)};
  return advice;
}

}  // namespace haloheap::advise
