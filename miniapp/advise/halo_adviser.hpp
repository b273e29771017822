// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_ADVISE_HALO_ADVISER_HPP
#define HALOHEAP_MINIAPP_ADVISE_HALO_ADVISER_HPP

#include <haloheap/comm/halo_model.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace haloheap::advise {

/// How halos are exchanged, and how often.
struct HaloChoice {
  std::string transport;
  Exchange exchange = Exchange::sync;
  Overlap overlap = Overlap::none;
  int depth = 1;
};

/// What may be chosen. No list may be empty; depths rise.
struct HaloOptions {
  std::vector<std::string> transports;
  std::vector<Exchange> exchanges;
  std::vector<Overlap> overlaps;
  std::vector<int> depths;
  /// Whether a deck with this choice is valid; none: all are.
  std::function<bool(const HaloChoice&)> allowed;
  int confirmed = 4;  ///< of the best predictions, so many are measured as well
};

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
  std::optional<double> measured;  ///< the same, where it was confirmed

  double seconds() const { return measured.value_or(predicted); }
};

/// A transport with one way to exchange, as it was measured here.
struct HaloPath {
  std::string transport;
  Exchange exchange = Exchange::sync;
  HaloCosts costs;      ///< without overlap
  double residual = 0;  ///< of the fit of the exchanges
  struct Overlapped {
    Overlap overlap = Overlap::none;
    HaloCosts costs;
    double residual = 0;  ///< of the fit of the overlapped cycles
  };
  std::vector<Overlapped> overlaps = {};  ///< those that were measured
};

struct HaloAdvice {
  std::vector<HaloCandidate> candidates;  ///< the best first: those that were confirmed, then the others
  std::vector<HaloPath> paths;            ///< the quickest first
  double steps_residual = 0;              ///< of the fit of the steps

  /// The largest of the fits that a prediction rests on.
  double residual(const HaloChoice& choice) const;
};

/// Measures each transport's exchanges at three depths, the steps of the quickest one, and the overlaps of
/// the quickest three; fits the model's costs; predicts all choices; and measures the best predictions. Empty
/// if nothing could be measured.
HaloAdvice advise_halo(const HaloShape& shape, const HaloOptions& options, HaloBench& bench);

}  // namespace haloheap::advise

#endif
