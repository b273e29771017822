// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_RESULTS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_RESULTS_HPP

#include <haloheap/miniapp/report/timing.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace haloheap {

/// The path that really ran, after `auto` was resolved.
struct GridPath {
  std::string transport;  ///< its name; "auto: peer_store 2, pinned 1" with the numbers of neighbours
  std::string exchange;
  std::string overlap;
  std::string fields;                   ///< memory resource of the fields
  std::string buffers;                  ///< memory resource of the message buffers
  std::optional<std::string> mpi = {};  ///< how messages were passed; absent where none were
  bool graph = false;                   ///< exchanges and steps were replayed from a graph
};

/// Seconds of one whole run (all steps) in each phase of [Valen2023], section 3.5.
struct GridPhases {
  double pack = 0;
  double unpack = 0;
  double message = 0;
  double inner = 0;                         ///< cells that need no halo, computed behind the exchange
  double outer = 0;                         ///< the rim that waits for the halo
  double primary = 0;                       ///< sub-steps over the whole subdomain
  std::optional<double> desynchronisation;  ///< waiting in a barrier; only when the deck asks for the barrier
};

/// Median seconds of what an overlap consists of, each term from a run of its own, without barriers.
struct OverlapTerms {
  double serial = 0;      ///< the exchange, then the steps
  double overlapped = 0;  ///< the same with the deck's overlap
  double exchange = 0;    ///< the exchanges alone
  double interior = 0;    ///< what is computed behind them, alone

  /// Share of the exchanges' time that the overlap saves; may be negative.
  std::optional<double> hidden() const { return saved_over(exchange); }
  /// What is saved over what could be: no more than the shorter of what runs at the same time.
  std::optional<double> efficiency() const { return saved_over(exchange < interior ? exchange : interior); }

 private:
  std::optional<double> saved_over(double maximum) const {
    return maximum > 0 ? std::optional((serial - overlapped) / maximum) : std::nullopt;
  }
};

/// The norm of the change that a step makes, root of the sum over all cells and quantities.
struct GridResidual {
  double first = 0;  ///< of step 1
  double last = 0;
  std::int64_t steps = 0;
};

/// Seconds that the copies of a field between host and device take.
struct FieldSeconds {
  double h2d = 0;
  double d2h = 0;
};

/// What a point of any problem on a grid measures.
struct GridResult {
  GridPath path;
  report::Timing timing;
  double updates = 0;                    ///< useful cell updates of a run; 0 where nothing was computed
  double update_bytes = 0;               ///< that an update reads and writes at least
  std::int64_t exchanges_alone = 0;      ///< of a run that consists of nothing else; 0: it does more
  std::optional<double> copy_bandwidth;  ///< bytes/s, read + write, of a copy measured in the same run
  std::optional<FieldSeconds> field;     ///< medians; only when the deck asks for a transfer mode
  std::int64_t messages = 0;             ///< of an exchange, sent by the busiest rank
  std::int64_t message_bytes = 0;        ///< of an exchange, sent by the busiest rank
  double redundant_fraction = 0;         ///< redundant cell updates / all cell updates
  report::MemoryUse memory;
  std::optional<OverlapTerms> overlap_terms;  ///< only when the deck asks for them
  std::optional<GridPhases>
      phases;  ///< means over repetitions of the slowest rank; absent without phase timers
  std::optional<GridPhases> mean_phases;  ///< the same of the mean over ranks
  std::optional<GridResidual> residual;   ///< only when the deck asks for it
};

const report::Quantities<GridResult>& grid_quantities();

}  // namespace haloheap

#endif
