// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_ADVISE_HALO_ADVISER_HPP
#define HALOHEAP_COMM_ADVISE_HALO_ADVISER_HPP

#include <haloheap/comm/halo/halo_model.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace haloheap::comm {

/// How halos are exchanged, how often, and how the steps between are made.
struct HaloChoice {
  std::string transport;
  Exchange exchange = Exchange::sync;
  Overlap overlap = Overlap::none;
  int depth = 1;
  int fused = 1;  ///< steps of a pass, at most depth
  bool graph = false;

  HaloCycle cycle() const { return {depth, fused, overlap, graph}; }
  friend bool operator==(const HaloChoice&, const HaloChoice&) = default;
};

/// What may be chosen. No list may be empty; depths and fused steps rise.
struct HaloOptions {
  std::vector<std::string> transports;
  std::vector<Exchange> exchanges;
  std::vector<Overlap> overlaps;
  std::vector<int> depths;
  std::vector<int> fused = {1};
  std::vector<bool> graphs = {false};
  /// Whether a deck with this choice is valid; none: all are.
  std::function<bool(const HaloChoice&)> allowed = {};
  int confirmed = 8;  ///< of the best predictions, so many are measured as well
  int searched = 60;  ///< around the best of these, at most so many more

  /// Whether a deck may have this choice and none before it is the same: 6 and 4 fused steps are both two
  /// passes of 4 at depth 8, and of a single pass the first step's overlap is that of all steps.
  bool admits(const HaloChoice& choice) const;
};

/// All choices that the options admit.
std::vector<HaloChoice> all_choices(const HaloOptions& options);

/// Where an adviser measures.
class HaloBench {
 public:
  virtual ~HaloBench() = default;
  /// Seconds of an exchange alone, and of an exchange with the steps that follow; nothing where the machine
  /// cannot do that, or no time is left to measure it.
  virtual std::optional<double> exchange(const HaloChoice& choice) = 0;
  virtual std::optional<double> cycle(const HaloChoice& choice) = 0;
};

struct HaloCandidate {
  HaloChoice choice;
  double predicted = 0;            ///< seconds of a step
  std::optional<double> measured;  ///< the same, where it was measured

  double seconds() const { return measured.value_or(predicted); }
};

/// A transport with one way to exchange, as it was measured here.
struct MeasuredPath {
  std::string transport;
  Exchange exchange = Exchange::sync;
  HaloCosts costs;      ///< without overlap and graph
  double residual = 0;  ///< of the fit of the exchanges
  struct Overlapped {
    Overlap overlap = Overlap::none;
    HaloCosts costs;
    double residual = 0;  ///< of the fit of the overlapped cycles
  };
  std::vector<Overlapped> overlaps = {};   ///< those that were measured
  std::optional<HaloCosts> recorded = {};  ///< of graphs, if they were measured
  double recorded_residual = 0;            ///< of their fit
};

struct HaloAdvice {
  std::vector<HaloCandidate> candidates;  ///< the best first: those that were measured, then the others
  std::vector<MeasuredPath> paths;        ///< the quickest first
  double passes_residual = 0;             ///< of the fit of the passes

  /// The largest of the fits that a prediction rests on.
  double residual(const HaloChoice& choice) const;
};

/// Measures each transport's exchanges at up to three depths, passes of each number of steps with the
/// quickest one, and overlaps and graphs of the quickest three; fits the model's costs; and predicts all
/// choices. Then it measures the best predictions, and goes from the best of them to whatever near it may be
/// better, until nothing is. Empty if nothing that may be chosen could be measured.
HaloAdvice advise_halo(const HaloShape& shape, const HaloOptions& options, HaloBench& bench);

}  // namespace haloheap::comm

#endif
