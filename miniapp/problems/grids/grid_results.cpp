// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/exchange.hpp>
#include <haloheap/miniapp/problems/grids/grid_results.hpp>
#include <haloheap/miniapp/report/result.hpp>

namespace haloheap {
namespace {

using report::Point;
using report::Quantities;
using report::Range;
using report::Settings;
using report::Shown;
using Number = std::optional<double>;

constexpr const char* median = "wall_s.median";
constexpr const char* rate = "gcells_per_s";
constexpr const char* message = "phases.message_s";
constexpr const char* unpack = "phases.unpack_s";
constexpr const char* desynchronisation = "phases.desynchronisation_s";

const deck::Value without_overlap = name_of(comm::Overlap::none);

Number a_second(double amount, const GridResult& result) {
  const double seconds = result.timing.wall.median;
  return amount > 0 && seconds > 0 ? Number(amount / seconds) : std::nullopt;
}

Number effective_bandwidth(const GridResult& result) {
  return a_second(result.updates * result.update_bytes, result);
}

Number fraction_of_copy(const GridResult& result) {
  const Number effective = effective_bandwidth(result);
  return effective && result.copy_bandwidth ? Number(*effective / *result.copy_bandwidth) : std::nullopt;
}

Number seconds_of_an_exchange(const GridResult& result) {
  if (result.exchanges_alone == 0) return std::nullopt;
  return result.timing.wall.median / static_cast<double>(result.exchanges_alone);
}

/// Where both computed something.
Number speedup(const Point& own, const Point& reference) {
  const Number time = own.number(median);
  return own.number(rate) && time > 0.0 ? Number(*reference.number(median) / *time) : std::nullopt;
}

bool overlaps(const Point& point) {
  const deck::Value* overlap = point.find("path.overlap");
  return overlap != nullptr && *overlap != without_overlap;
}

/// [Valen2023], section 5.5, Tables 5.1 and 5.2.
Number hidden_share(const Point& own, const Point& serial) {
  const Number waiting = serial.number(message);
  if (!overlaps(own) || !own.number(rate) || !waiting) return std::nullopt;
  const double communication =
      *waiting + serial.number(desynchronisation).value_or(0) + serial.number(unpack).value_or(0);
  if (!(communication > 0)) return std::nullopt;
  return (*serial.number(median) - *own.number(median)) / communication;
}

Quantities<GridPath> path_quantities() {
  using P = GridPath;
  return {
      {{"path.transport", "", "transport",
        "The transport that ran. Of auto what it chose, with the number of neighbours that each serves: "
        "auto: "
        "peer_store 2, pinned 1. Semicolons separate what ranks chose differently."},
       &P::transport},
      {{"path.exchange", "", "exchange", "How halos are exchanged: sync or async."}, &P::exchange},
      {{"path.overlap", "", "overlap", "What is computed behind an exchange."}, &P::overlap},
      {{"path.fields", "", "fields", "Memory resource of the fields."}, &P::fields},
      {{"path.buffers", "", "buffers", "Memory resource of the message buffers."}, &P::buffers},
      {{"path.mpi", "", "MPI", "How messages were passed. Left out where MPI passed none."}, &P::mpi},
      {{"path.graph", "", "graph",
        "Whether exchanges and steps were replayed from a graph, which has no phase times."},
       &P::graph},
  };
}

Quantities<FieldSeconds> field_quantities() {
  using F = FieldSeconds;
  return {
      {{"h2d_us", "us", "H2D",
        "With transfer.mode: time that the initial field took from the host to the device, of the slowest "
        "rank; "
        "median over the repetitions.",
        Shown{}},
       [](const F& f) { return 1e6 * f.h2d; }},
      {{"d2h_us", "us", "D2H",
        "With transfer.mode: time that the last field took from the device to the host, likewise.", Shown{}},
       [](const F& f) { return 1e6 * f.d2h; }},
  };
}

Quantities<OverlapTerms> overlap_quantities() {
  using O = OverlapTerms;
  const Shown apart{.apart = true};
  return {
      {{"overlap_terms.serial_s", "s", "serial",
        "With run.measure = overlap: a run without overlap. All terms are medians of runs of their own, in "
        "turn, "
        "without barriers.",
        apart},
       &O::serial},
      {{"overlap_terms.overlapped_s", "s", "overlapped",
        "Time of a run with the deck's overlap; wall_s is of the same runs.", apart},
       &O::overlapped},
      {{"overlap_terms.exchange_s", "s", "exchange", "Time of the exchanges of a run alone.", apart},
       &O::exchange},
      {{"overlap_terms.interior_s", "s", "interior",
        "Time of what is computed behind the exchanges of a run, alone.", apart},
       &O::interior},
      {{"overlap_terms.hidden", "", "hidden",
        "(serial - overlapped) / exchange. Negative where the overlap costs time.",
        Shown{"hidden [%]", 100, ".1f", true}, Range::any},
       &O::hidden},
      {{"overlap_terms.efficiency", "", "efficiency", "(serial - overlapped) / min(exchange, interior).",
        Shown{"efficiency [%]", 100, ".1f", true}, Range::any},
       &O::efficiency},
  };
}

Quantities<GridPhases> phase_quantities() {
  using P = GridPhases;
  const Shown apart{.apart = true};
  return {
      {{"phases.pack_s", "s", "pack",
        "Time of a whole run in which halos are packed and staged: of the rank that took longest, the mean "
        "over "
        "the repetitions. Phases are left out when their timers are off; with overlap they run at the same "
        "time, so that their sum may exceed wall_s.",
        apart},
       &P::pack},
      {{message, "s", "message", "Time in which messages are sent and waited for.", apart}, &P::message},
      {{desynchronisation, "s", "desync",
        "Time in the barrier before the first message of each exchange; only when the deck asked for it.",
        apart},
       &P::desynchronisation},
      {{unpack, "s", "unpack", "Time in which halos are staged and unpacked.", apart}, &P::unpack},
      {{"phases.inner_s", "s", "inner", "Time of the cells that need no halo, behind the exchange.", apart},
       &P::inner},
      {{"phases.outer_s", "s", "outer", "Time of the rim that waits for the halo.", apart}, &P::outer},
      {{"phases.primary_s", "s", "primary", "Time of sub-steps over the whole subdomain.", apart},
       &P::primary},
  };
}

Quantities<GridPhases> mean_phase_quantities() {
  using P = GridPhases;
  return {
      {{"mean_phases.pack_s", "s", "mean of pack",
        "The phases once more, of each repetition the mean over ranks in the place of the maximum: packing."},
       &P::pack},
      {{"mean_phases.message_s", "s", "mean of message", "The same of messages."}, &P::message},
      {{"mean_phases.desynchronisation_s", "s", "mean of desync", "The same of the barrier."},
       &P::desynchronisation},
      {{"mean_phases.unpack_s", "s", "mean of unpack", "The same of unpacking."}, &P::unpack},
      {{"mean_phases.inner_s", "s", "mean of inner", "The same of the cells that need no halo."}, &P::inner},
      {{"mean_phases.outer_s", "s", "mean of outer", "The same of the rim."}, &P::outer},
      {{"mean_phases.primary_s", "s", "mean of primary", "The same of sub-steps over the whole subdomain."},
       &P::primary},
  };
}

Quantities<GridResidual> residual_quantities() {
  using R = GridResidual;
  return {
      {{"residual.first", "", "first residual",
        "With run.residual: root of the sum over all cells and quantities of (u_new - u_old)^2 in the first "
        "step that is summed (step run.residual_interval), the same bits on any rank grid."},
       &R::first},
      {{"residual.last", "", "residual", "The last residual. All of them stand in POINT_residual.csv.",
        Shown{"residual", 1, ".6e"}},
       &R::last},
      {{"residual.steps", "", "steps", "Number of steps that have a residual."}, &R::steps},
  };
}

Quantities<GridResult> rates() {
  using H = GridResult;
  return {
      {{rate, "GCells/s", "rate",
        "1e9 useful cell updates a second; in a cell each of grid.quantities counts. Redundant updates of "
        "deep halos are not counted. Left out where nothing was computed.",
        Shown{"GCells/s"}},
       [](const H& h) { return a_second(1e-9 * h.updates, h); }},
      {{"effective_bandwidth_bytes_per_s", "bytes/s", "effective bandwidth",
        "One read and one write of each useful cell and quantity in each step, over the time.",
        Shown{"GB/s", 1e-9}},
       effective_bandwidth},
      {{"copy_bandwidth_bytes_per_s", "bytes/s", "bandwidth of a copy",
        "Bytes that a plain copy in device memory reads and writes a second, measured in the same run."},
       &H::copy_bandwidth},
      {{"exchange_s", "s", "exchange",
        "Time of one exchange, with run.measure = exchange: the median time over the number of exchanges.",
        Shown{"exchange [us]", 1e6}},
       seconds_of_an_exchange},
      {{"fraction_of_copy", "", "fraction of a copy",
        "effective_bandwidth_bytes_per_s / copy_bandwidth_bytes_per_s.", Shown{"% of copy", 100, ".1f"}},
       fraction_of_copy},
      {{"messages_per_exchange", "", "messages", "Messages that the busiest rank sends in an exchange."},
       &H::messages},
      {{"bytes_per_exchange", "bytes", "bytes of an exchange",
        "Bytes that the busiest rank sends in an exchange."},
       &H::message_bytes},
      {{"redundant_fraction", "", "redundant fraction", "Redundant cell updates / all cell updates."},
       &H::redundant_fraction},
      {{"speedup", "", "speed-up",
        "Median time of the point with exchange sync, no overlap, depth 1 and otherwise the same deck, over "
        "this "
        "one's.",
        Shown{"speed-up", 1, ".2f"}},
       report::Comparison{{Settings{{"halo.exchange", name_of(comm::Exchange::sync)},
                                    {"halo.overlap", without_overlap},
                                    {"halo.depth", std::int64_t{1}}}},
                          speedup}},
      {{"hidden_share", "", "hidden share",
        "(T_none - T) / (message + desynchronisation + unpack of the point without overlap), where T are "
        "median "
        "times. Negative where the overlap costs time.",
        Shown{"hidden [%]", 100, ".1f"}, Range::any},
       report::Comparison{{Settings{{"halo.overlap", without_overlap}}}, hidden_share}},
  };
}

}  // namespace

const Quantities<GridResult>& grid_quantities() {
  using H = GridResult;
  static const auto all = Quantities<H>{}
                              .with(&H::path, path_quantities())
                              .with(&H::timing, report::shown_timings())
                              .with(std::identity{}, rates())
                              .with(&H::field, field_quantities())
                              .with(&H::memory, report::memory_use())
                              .with(&H::overlap_terms, overlap_quantities())
                              .with(&H::phases, phase_quantities())
                              .with(&H::mean_phases, mean_phase_quantities())
                              .with(&H::residual, residual_quantities());
  return all;
}

}  // namespace haloheap
