// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_ADVISE_TRANSFER_BENCH_HPP
#define HALOHEAP_MINIAPP_ADVISE_TRANSFER_BENCH_HPP

#include <haloheap/miniapp/advise/point_runner.hpp>
#include <haloheap/miniapp/advise/transfer_adviser.hpp>

#include <map>
#include <string>

namespace haloheap::advise {

/// The keys of a deck that say a choice.
std::map<std::string, deck::Value> keys_of(const TransferChoice& choice);

/// Measures a deck by runs of the deck itself: of problem transfer or vector_add the whole runs, of others
/// the ways of their fields.
class TransferDeckBench final : public TransferBench {
 public:
  TransferDeckBench(const deck::Deck& deck, PointRunner& runner);
  std::optional<double> run(const TransferChoice& choice) override;

 private:
  std::int64_t repetitions(const std::string& mode) const;

  deck::Deck deck_;
  PointRunner& runner_;
  std::map<std::string, double> seconds_;  // by mode: what its last run took
};

}  // namespace haloheap::advise

#endif
