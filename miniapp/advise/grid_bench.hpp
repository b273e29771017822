// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_ADVISE_GRID_BENCH_HPP
#define HALOHEAP_MINIAPP_ADVISE_GRID_BENCH_HPP

#include <haloheap/comm/advise/timed_halo_bench.hpp>
#include <haloheap/miniapp/advise/point_runner.hpp>
#include <haloheap/miniapp/choices.hpp>

#include <map>
#include <string>

namespace haloheap::advise {

/// The keys of a deck that say a choice.
std::map<std::string, deck::Value> keys_of(const comm::HaloChoice& choice);

/// Measures the deck of a problem on a grid in short runs of the deck itself.
class GridBench final : public comm::TimedHaloBench {
 public:
  GridBench(const deck::Deck& deck, PointRunner& runner);

  /// Whether the deck with that choice breaks no rule, whatever it measures.
  bool valid(const comm::HaloChoice& choice) const;

 private:
  std::optional<double> run(const comm::HaloChoice& choice, const Run& run, double until) override;

  deck::Deck deck_, quick_;
  PointRunner& runner_;
};

/// The largest subdomain of the deck of a problem on a grid.
comm::HaloShape shape_of(const deck::Deck& deck, int ranks);

}  // namespace haloheap::advise

#endif
