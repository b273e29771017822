// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/advise/steps_advice.hpp>
#include <haloheap/comm/advise/timed_halo_bench.hpp>
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/halo/grid_terms.hpp>
#include <haloheap/comm/paths/route.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/names.hpp>
#include <haloheap/core/base/stopwatch.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace haloheap::comm {
namespace {

using detail::AdvisedRule;

DeepHaloConfig with(const HaloChoice& choice, DeepHaloConfig config) {
  config.depth = choice.depth;
  config.fused_steps = choice.fused;
  config.exchange = choice.exchange;
  config.overlap = choice.overlap;
  config.graph = choice.graph;
  config.halo.transport = choice.transport;
  return config;
}

/// With one rank all transports are the same, but not all can be recorded into a graph.
std::vector<std::string> all_transports(const Communicator& communicator, const DeepHaloConfig& config) {
  if (communicator.size() == 1) return {candidates(automatic_transport, config.halo.mpi).front()->name};
  std::vector<std::string> names =
      transports().names([](const TransportInfo& info) { return info.delivers; });
  // It chooses for each neighbour by where that is, which on one node is always the same.
  const std::vector<int> nodes = nodes_of(communicator, config.halo.ranks_per_node);
  if (std::set<int>(nodes.begin(), nodes.end()).size() > 1) names.emplace_back(automatic_transport);
  return names;
}

/// Measures a rule in short runs of itself.
class StepsBench final : public TimedHaloBench {
 public:
  StepsBench(const Communicator& communicator, const AdvisedRule& rule, const AdviceOptions& options)
      : TimedHaloBench(rule.computation.stages, options.seconds / 2),
        communicator_(communicator),
        rule_(rule),
        config_(options.config),
        seconds_(options.seconds) {
    config_.phases = false;
  }

  /// What forbids it, as far as that can be known before it is tried.
  std::optional<HaloProblem> problem_of(const HaloChoice& choice) const {
    const TransportInfo* const info = transports().find(choice.transport);
    if (choice.graph && communicator_.size() > 1 && info != nullptr && info->needs_host)
      return HaloProblem{HaloSetting::graph,
                         fmt::format("transport '{}' needs the host in each exchange", choice.transport),
                         "a graph cannot hold it", "leave graphs = {false}, or another transport"};
    return detail::problem_of(rule_.grid, rule_.facts, with(choice, config_));
  }
  const std::map<std::string, std::string>& missing() const { return missing_; }
  bool time_is_up() const { return time_is_up_; }

 private:
  std::optional<double> run(const HaloChoice& choice, const Run& run, double until) override {
    const double now = communicator_.max(watch_.seconds());
    if (now > seconds_) time_is_up_ = true;
    const std::string label =
        fmt::format("transport {}, {}, overlap {}{}", choice.transport, name_of(choice.exchange),
                    name_of(choice.overlap), choice.graph ? ", graph" : "");
    if ((until != in_any_case && now > std::min(until, seconds_)) || refused_.contains(label))
      return std::nullopt;
    DeepHaloConfig config = with(choice, config_);
    config.part = run.part;
    try {
      agree(communicator_, [&] { rule_.prepare(config); });
      return timed(*rule_.make(config), run);
    } catch (const Error& error) {
      // A machine that lacks something or has too little memory is what we are here to find out.
      if (error.kind() != ErrorKind::capability && error.kind() != ErrorKind::out_of_memory &&
          error.kind() != ErrorKind::usage)
        throw;
      // Of that which is too large there may be smaller ones.
      if (error.kind() != ErrorKind::out_of_memory) refused_.insert(label);
      const std::string reason = error.what();
      missing_[label] = reason.substr(0, reason.find('\n'));
    }
    return std::nullopt;
  }

  double timed(detail::OwnedSteps& owned, const Run& run) const {
    std::vector<double> seconds;
    for (int repetition = -run.warm_ups; repetition < run.repetitions; ++repetition) {
      communicator_.barrier();
      const base::Stopwatch watch;
      owned.steps().advance(run.steps);
      owned.steps().finish();
      const double slowest = communicator_.max(watch.seconds());
      if (repetition >= 0) seconds.push_back(slowest);
    }
    std::nth_element(seconds.begin(), seconds.begin() + run.repetitions / 2, seconds.end());
    return seconds[static_cast<std::size_t>(run.repetitions / 2)];
  }

  const Communicator& communicator_;
  const AdvisedRule& rule_;
  DeepHaloConfig config_;
  double seconds_;
  base::Stopwatch watch_;
  bool time_is_up_ = false;
  std::map<std::string, std::string> missing_;
  std::set<std::string> refused_;
};

HaloOptions halo_options(const Communicator& communicator, const AdvisedRule& rule,
                         const AdviceOptions& options) {
  HaloOptions result;
  result.transports = options.transports;
  if (result.transports.empty()) result.transports = all_transports(communicator, options.config);
  result.exchanges = options.exchanges;
  result.overlaps = options.overlaps;
  result.depths = options.depths;
  result.fused.clear();
  for (const int steps : options.fused_steps)
    if (steps <= rule.computation.max_fused_steps || steps == options.fused_steps.front())
      result.fused.push_back(steps);
  result.graphs = options.graphs;
  return result;
}

void require_choice(const AdviceOptions& options) {
  const auto rises = [](const std::vector<int>& list) {
    return !list.empty() && list.front() > 0 &&
           std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end();
  };
  if (rises(options.depths) && rises(options.fused_steps) && !options.exchanges.empty() &&
      !options.overlaps.empty() && !options.graphs.empty())
    return;
  throw UsageError(
      "advice was asked for with an empty list, or with depths or fused steps that do not rise from 1 or "
      "more",
      "there is nothing to choose from",
      "give depths and fused_steps in rising order, and every list but transports a value at least");
}

/// @throws UsageError, of the simplest that may be chosen, if nothing may
void require_any(const HaloOptions& choices, const StepsBench& bench) {
  if (!all_choices(choices).empty()) return;
  const HaloChoice simplest{choices.transports.front(), choices.exchanges.front(), choices.overlaps.front(),
                            choices.depths.front(),     choices.fused.front(),     choices.graphs.front()};
  const std::optional<HaloProblem> problem = bench.problem_of(simplest);
  throw UsageError(
      problem ? problem->cause : "no depth that may be chosen has room for the fused steps that may",
      "nothing of what may be chosen can be run",
      problem ? problem->remedy : "allow fewer fused steps, or more depth");
}

/// What ranks that have other choices would go separate ways with.
std::vector<Terms::Item> items(const Grid& grid, const AdviceOptions& options) {
  const auto names = [](const auto& values) {
    std::vector<std::string> result;
    result.reserve(values.size());
    for (const auto value : values) result.push_back(name_of(value));
    return fmt::format("{}", fmt::join(result, ", "));
  };
  return {{"cells", detail::extent_text(grid.cells)},
          detail::rank_grid_term(grid.topology),
          {"seconds", fmt::format("{}", options.seconds)},
          {"depths", fmt::format("{}", fmt::join(options.depths, ", "))},
          {"fused_steps", fmt::format("{}", fmt::join(options.fused_steps, ", "))},
          {"exchanges", names(options.exchanges)},
          {"overlaps", names(options.overlaps)},
          {"transports", fmt::format("{}", fmt::join(options.transports, ", "))},
          {"number of graphs", std::to_string(options.graphs.size())}};
}

[[noreturn]] void nothing_measured(const StepsBench& bench) {
  std::string why = bench.time_is_up() ? "the time was up" : "";
  for (const auto& [what, reason] : bench.missing())
    why += fmt::format("{}{}: {}", why.empty() ? "" : "; ", what, reason);
  throw CapabilityError("no advice: nothing could be measured" + (why.empty() ? "" : " (" + why + ")"),
                        "nothing was chosen",
                        "give DeepHalo a configuration by hand, or advise other choices");
}

}  // namespace

StepsAdvice detail::advise_steps(const Communicator& communicator, const AdvisedRule& rule,
                                 const AdviceOptions& options) {
  agree_on(communicator, "advise", set_up_timeout(options.config.halo.timeout), [&] {
    require_choice(options);
    for (const std::string& name : options.transports)
      if (name != automatic_transport) transports().at(name);
    require_grid(rule.grid);
    return Terms{items(rule.grid, options), {}};
  });
  StepsBench bench(communicator, rule, options);
  HaloOptions choices = halo_options(communicator, rule, options);
  choices.allowed = [&](const HaloChoice& choice) { return !bench.problem_of(choice); };
  require_any(choices, bench);
  const double cell_bytes = static_cast<double>(rule.computation.value_bytes) * rule.computation.fields;
  const HaloShape shape = HaloShape::largest(rule.grid, rule.computation.radius, cell_bytes);
  StepsAdvice advice;
  advice.found = advise_halo(shape, choices, bench);
  advice.missing = bench.missing();
  advice.time_is_up = bench.time_is_up();
  if (advice.found.candidates.empty()) nothing_measured(bench);
  const HaloCandidate& best = advice.found.candidates.front();
  advice.config = with(best.choice, options.config);
  advice.step_seconds = best.seconds();
  return advice;
}

std::string StepsAdvice::text(int rows) const {
  std::string text =
      fmt::format("{:>5}  {:>5}  {:<8}  {:<10}  {:<10}  {:<5}  {:>14}  {:>13}\n", "depth", "fused",
                  "exchange", "overlap", "transport", "graph", "predicted [us]", "measured [us]");
  for (const HaloCandidate& candidate : found.candidates) {
    if (rows-- <= 0 || !candidate.measured) break;
    const HaloChoice& choice = candidate.choice;
    text += fmt::format("{:>5}  {:>5}  {:<8}  {:<10}  {:<10}  {:<5}  {:>14.2f}  {:>13.2f}\n", choice.depth,
                        choice.fused, name_of(choice.exchange), name_of(choice.overlap), choice.transport,
                        choice.graph ? "yes" : "no", 1e6 * candidate.predicted, 1e6 * *candidate.measured);
  }
  if (time_is_up) text += "the time was up: not all that looked promising was measured\n";
  for (const auto& [what, reason] : missing) text += fmt::format("not measured: {}: {}\n", what, reason);
  return text;
}

}  // namespace haloheap::comm
