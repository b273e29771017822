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
  bool valid(const HaloChoice& choice);

 private:
  std::optional<double> measure(const HaloChoice& choice, const char* what);
  deck::Deck deck_of(const HaloChoice& choice, const char* what, int cycles) const;

  deck::Deck deck_;
  PointRunner& runner_;
};

/// The largest subdomain of a stencil's deck.
HaloShape shape_of(const deck::Deck& deck, int ranks);

}  // namespace haloheap::advise

#endif
