// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_RESULT_HPP
#define HALOHEAP_MINIAPP_REPORT_RESULT_HPP

#include <haloheap/miniapp/deck/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace haloheap::report {

/// Deck keys ("halo.depth") with their values, in the deck's order.
using Settings = std::vector<std::pair<std::string, deck::Value>>;

/// Seconds of one whole run (all steps) in each phase of seed 001, section 3.5: the maximum over ranks.
struct Phases {
  double pack = 0;
  double unpack = 0;
  double message = 0;
  double inner = 0;                         ///< cells that need no halo, computed behind the exchange
  double outer = 0;                         ///< the rim that waits for the halo
  double primary = 0;                       ///< sub-steps over the whole subdomain
  std::optional<double> desynchronisation;  ///< waiting in a barrier; only when the deck asks for the barrier
};

/// Seconds over the repetitions of one point.
struct Spread {
  double median = 0;
  double minimum = 0;
  double maximum = 0;
};

/// What was computed, under names that do not depend on the deck's spelling.
struct Work {
  std::string problem;             ///< "heat2d"
  std::vector<std::int64_t> size;  ///< cells of the global grid, x first; 1 to 3 numbers
  std::int64_t steps = 0;
  std::string scalar;  ///< "float" or "double"
  int quantities = 1;
};

/// The path that really ran, after `auto` was resolved.
struct Path {
  std::string transport;  ///< its name; "auto: peer_store 2, pinned 1" with the numbers of neighbours
  std::string exchange;
  std::string overlap;
  std::string fields;                   ///< memory resource of the fields
  std::string buffers;                  ///< memory resource of the message buffers
  std::optional<std::string> mpi = {};  ///< how messages were passed; absent where none were
  bool graph = false;                   ///< exchanges and steps were replayed from a graph
};

/// The norm of the change that a step makes, root of the sum over all cells and quantities.
struct Residual {
  double first = 0;  ///< of step 1
  double last = 0;
  std::int64_t steps = 0;
};

/// Seconds of a field's ways between host and device.
struct Travel {
  double up = 0;
  double down = 0;
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
  std::optional<double> saved_over(double most) const {
    return most > 0 ? std::optional((serial - overlapped) / most) : std::nullopt;
  }
};

struct Verification {
  bool bitwise =
      false;  ///< every bit of the field, and of the residuals if there are any, is the reference's
  std::optional<double>
      sine_error;  ///< relative error against the exact decay; absent where there is no such answer
  std::optional<double> tolerance;  ///< largest sine_error that passes
  std::string differs = {};         ///< what is not the reference's: "the field, the residual of step 3"

  /// A NaN error does not pass.
  bool passed() const { return bitwise && (!sine_error || (tolerance && *sine_error <= *tolerance)); }
};

/// A figure of merit that only its problem has.
struct Figure {
  std::string name;   ///< its unit, if any, at the end: "allocate_us"
  std::string title;  ///< of its column in the table: "allocate [us]"; empty: in the files only
  double value = 0;
  bool compared = false;  ///< a point's speed-up is this of in-kernel allocator native over its own
};

/// One combination of deck values: what ran and what came out.
struct Point {
  Settings deck;   ///< every key, defaults filled in, lists already expanded to this point's value
  Settings swept;  ///< the keys that the sweep varies
  Work work;
  int ranks = 1;
  std::vector<int> rank_grid;  ///< ranks in x, y, z
  Path path;

  Spread wall;  ///< maximum over ranks
  /// 1e9 useful cell updates a second; redundant work is not counted. Absent where nothing was computed.
  std::optional<double> gcells_per_s;
  std::optional<double> effective_bandwidth;  ///< bytes/s: one read and one write a useful cell
  std::optional<double> exchange;             ///< seconds an exchange; only where nothing else ran
  std::optional<Travel> travel;               ///< medians; only when the deck asks for a transfer mode
  std::optional<double> copy_bandwidth;       ///< bytes/s, read + write, of a copy measured in the same run
  std::optional<double> fraction_of_copy;     ///< effective_bandwidth / copy_bandwidth
  std::int64_t messages_per_exchange = 0;     ///< sent by the busiest rank
  std::int64_t bytes_per_exchange = 0;        ///< sent by the busiest rank
  double redundant_fraction = 0;              ///< redundant cell updates / all cell updates
  std::optional<double> speedup;              ///< over sync, none, depth 1 of the same sweep
  std::optional<double> hidden_share;  ///< share of the communication that the overlap hid; may be negative
  std::int64_t memory_per_rank = 0;    ///< bytes, the largest over ranks
  double warm_up = 0;                  ///< seconds before the first timed repetition
  std::optional<Phases> phases;        ///< absent when phase timers were off
  std::optional<OverlapTerms> overlap_terms;  ///< only when the deck asks for them
  std::optional<Residual> residual;           ///< only when the deck asks for it
  std::optional<Verification> verification;   ///< absent when nothing was verified
  std::vector<Figure> figures;                ///< names differ; none where those above say it all
  std::vector<std::string> notes;  ///< remarks on this point, for example how device times were taken
};

/// Everything needed to know later which program ran where.
struct Provenance {
  std::string program_version;
  std::string git_revision;
  std::string compiler;
  std::string compiler_flags;
  std::string kokkos_version;
  std::string kokkos_configuration;
  std::string execution_space;
  std::string mpi_library;
  std::string gpu_aware;       ///< "yes", "no" or "not applicable"
  std::string gpu_aware_from;  ///< how that was found out
  std::vector<std::string> devices;
  std::vector<std::string> hosts;
  int ranks = 1;
  std::string start_time;  ///< ISO 8601 with time zone
  std::vector<std::pair<std::string, std::uint64_t>> seeds;
  std::string command_line;
};

/// How far a run came.
struct Completion {
  std::size_t planned = 0;  ///< points of the sweep
  bool complete = false;    ///< the run came to its end; what compares points is filled in
  std::string error = {};   ///< what ended it early, if it could still say so
};

struct Report {
  Provenance provenance;
  std::vector<Point> points;  ///< those that have finished
  std::optional<Completion> completion = {};
};

}  // namespace haloheap::report

#endif
