// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_ADVISE_HEAT_BENCH_HPP
#define HALOHEAP_MINIAPP_ADVISE_HEAT_BENCH_HPP

#include <haloheap/miniapp/advise/halo_adviser.hpp>
#include <haloheap/miniapp/advise/point_runner.hpp>

#include <map>
#include <string>

namespace haloheap::advise {

/// The keys of a deck that say a choice.
std::map<std::string, deck::Value> keys_of(const HaloChoice& choice);

/// Measures a stencil's deck in short runs of the deck itself.
class HeatBench final : public HaloBench {
 public:
  HeatBench(const deck::Deck& deck, PointRunner& runner);

  std::optional<double> exchange(const HaloChoice& choice) override;
  std::optional<double> cycle(const HaloChoice& choice) override;
  /// Whether the deck with that choice breaks no rule, whatever it measures.
  bool valid(const HaloChoice& choice) const;

 private:
  struct Length {
    int cycles, repetitions, warm_ups;
  };
  std::optional<double> measure(const HaloChoice& choice, const char* what, double& known, double unit,
                                double until = std::numeric_limits<double>::infinity());
  static Length length_of(double cycle, bool graph);

  deck::Deck deck_, quick_;
  PointRunner& runner_;
  double exchanges_until_;
  std::map<std::string, double> exchange_seconds_;  // by path, the quickest so far
  double step_seconds_ = 0;                         // the quickest so far
};

/// The largest subdomain of a stencil's deck.
comm::HaloShape shape_of(const deck::Deck& deck, int ranks);

}  // namespace haloheap::advise

#endif
