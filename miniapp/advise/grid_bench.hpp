// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_ADVISE_GRID_BENCH_HPP
#define HALOHEAP_MINIAPP_ADVISE_GRID_BENCH_HPP

#include <haloheap/miniapp/advise/halo_adviser.hpp>
#include <haloheap/miniapp/advise/point_runner.hpp>
#include <haloheap/miniapp/choices.hpp>

#include <map>
#include <string>

namespace haloheap::advise {

/// The keys of a deck that say a choice.
std::map<std::string, deck::Value> keys_of(const HaloChoice& choice);

/// Measures the deck of a problem on a grid in short runs of the deck itself.
class GridBench final : public HaloBench {
 public:
  GridBench(const deck::Deck& deck, PointRunner& runner);

  std::optional<double> exchange(const HaloChoice& choice) override;
  std::optional<double> cycle(const HaloChoice& choice) override;
  /// Whether the deck with that choice breaks no rule, whatever it measures.
  bool valid(const HaloChoice& choice) const;

 private:
  struct Length {
    int cycles, repetitions, warm_ups;
  };
  std::optional<double> measure(const HaloChoice& choice, Measure what, double& known, double unit,
                                double until);
  Length length_of(double cycle, const HaloChoice& choice) const;

  deck::Deck deck_, quick_;
  PointRunner& runner_;
  int stages_;  // of a step
  double exchanges_until_;
  std::map<std::string, double> exchange_seconds_;  // by path, the quickest so far
  double step_seconds_ = 0;                         // the quickest so far
};

/// The largest subdomain of the deck of a problem on a grid.
comm::HaloShape shape_of(const deck::Deck& deck, int ranks);

}  // namespace haloheap::advise

#endif
