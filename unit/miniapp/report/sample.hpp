// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_MINIAPP_REPORT_SAMPLE_HPP
#define HALOHEAP_UNIT_MINIAPP_REPORT_SAMPLE_HPP

#include <haloheap/miniapp/problems/grids/grid_results.hpp>
#include <haloheap/miniapp/report/comparisons.hpp>
#include <haloheap/miniapp/report/result.hpp>

#include <array>
#include <string>
#include <vector>

namespace haloheap::report::sample {

/// One row of [Valen2023]'s tables C.27 and C.28 (A100) or C.55 and C.56 (V100): 35000 x 35000, sync, 2048
/// steps, in seconds; `covered` is what its Table 5.2 or 5.1 prints, in percent.
struct ThesisRow {
  std::int64_t depth;
  double serial, unpack, message, desynchronisation, overlapped, covered;
};

inline constexpr std::array<ThesisRow, 7> a100_rows = {{
    {1, 5.9476, 0.1225, 0.5107, 0.2246, 5.2331, 83.3034},
    {2, 5.7473, 0.1033, 0.4449, 0.1907, 5.1344, 82.9539},
    {4, 5.5049, 0.0889, 0.3184, 0.1291, 5.0802, 79.1934},
    {8, 5.4251, 0.0855, 0.2730, 0.1175, 5.0677, 75.0933},
    {16, 5.4470, 0.1146, 0.2572, 0.1258, 5.1763, 54.3979},
    {32, 5.4440, 0.0999, 0.2624, 0.1205, 5.3250, 24.6493},
    {64, 5.4405, 0.0867, 0.2586, 0.0912, 5.3656, 17.1672},
}};

inline constexpr std::array<ThesisRow, 7> v100_rows = {{
    {1, 9.0193, 0.1801, 0.2645, 0.6405, 8.4969, 48.1397},
    {2, 8.7932, 0.1585, 0.2226, 0.5722, 8.4750, 33.3786},
    {4, 8.6428, 0.1505, 0.1806, 0.5376, 8.3366, 35.2514},
    {8, 8.6122, 0.1477, 0.1685, 0.5260, 8.3460, 31.6126},
    {16, 8.6445, 0.1765, 0.1717, 0.5285, 8.3488, 33.7302},
    {32, 8.6954, 0.1634, 0.1753, 0.5382, 8.4254, 30.7901},
    {64, 8.7728, 0.1487, 0.1793, 0.4974, 8.6524, 14.5914},
}};

/// A point of heat2d before it becomes one: tests change its result.
struct HeatPoint {
  Point head;
  GridResult result;

  operator Point() const {
    Point p = head;
    p.measure(grid_quantities(), result);
    return p;
  }
};

inline HeatPoint point(std::int64_t depth, const std::string& exchange, const std::string& overlap,
                       double seconds) {
  HeatPoint point;
  Point& p = point.head;
  p.deck = {{"grid.size", std::vector<std::int64_t>{35000, 35000}},
            {"grid.steps", std::int64_t{2048}},
            {"problem.coefficients", std::vector<double>{0.2, 0.2, 0.2, 0.2, 0.2}},
            {"verify", true},
            {"halo.depth", depth},
            {"halo.exchange", exchange},
            {"halo.overlap", overlap},
            {"halo.transport", std::string("pageable")}};
  p.swept = {{"halo.depth", depth}, {"halo.exchange", exchange}, {"halo.overlap", overlap}};
  p.work = {"heat2d", {35000, 35000}, 2048, "float", 1};
  p.ranks = 4;
  p.rank_grid = {2, 2};
  GridResult& r = point.result;
  r.path = {"pageable", exchange, overlap, "device", "pageable"};
  r.timing = {{seconds, 0.99 * seconds, 1.02 * seconds}, 0.5};
  r.updates = 35000.0 * 35000.0 * 2048.0;
  r.update_bytes = 8;
  r.copy_bandwidth = 4.0e12;
  r.messages = exchange == "sync" ? 4 : 8;
  r.message_bytes = 4 * 17500 * depth * 4;
  r.redundant_fraction = 0.0001 * static_cast<double>(depth - 1);
  r.memory.bytes = 2450000000;
  return point;
}

/// A point whose overlap was measured term by term, with its residuals, and whose field came from the host.
inline HeatPoint measured_overlap() {
  HeatPoint p = point(8, "sync", "all_steps", 4.0);
  p.result.path.transport = "auto: peer_store 2, pinned 1";
  p.result.path.mpi = "isend";
  p.result.path.graph = true;
  p.result.overlap_terms = OverlapTerms{.serial = 4.75, .overlapped = 4.0, .exchange = 1.5, .interior = 1.0};
  p.result.field = FieldSeconds{.h2d = 0.0025, .d2h = 0.00125};
  p.result.residual = GridResidual{.first = 0.5, .last = 0.125, .steps = 2048};
  return p;
}

/// A point of which only the exchanges were run, each in 25 microseconds.
inline HeatPoint exchange_alone() {
  HeatPoint p = point(8, "sync", "none", 0.5);
  p.result.updates = 0;
  p.result.exchanges_alone = 20000;
  return p;
}

/// What a problem of an allocator could measure.
struct Kernels {
  double allocate = 0;  ///< microseconds
  std::optional<double> reset = {};
  Timing timing = {};
};

inline const Quantities<Kernels>& kernel_quantities() {
  static const auto all =
      Quantities<Kernels>{}
          .with(&Kernels::timing, timings())
          .add({
              {of_merit({"figures.allocate_us", "us", "allocate", "Time of the kernel.", Shown{}}),
               &Kernels::allocate},
              {{"figures.reset_us", "us", "reset", "In the files only."}, &Kernels::reset},
              {{"figures.relation", "", "relation", "To the point with a = 1.", Shown{"relation", 1, ".2f"}},
               Comparison{{Settings{{"a", std::int64_t{1}}}, Settings{{"a", std::int64_t{2}}}},
                          [](const Point& own, const Point& reference) -> std::optional<double> {
                            const double of_reference = merit_of(reference).value();
                            return of_reference > 0 ? std::optional(merit_of(own).value() / of_reference)
                                                    : std::nullopt;
                          }}},
          });
  return all;
}

/// A point of a problem without transport and with times of its own.
inline Point with_figures(std::int64_t a = 1, double allocate = 12.5) {
  Point p;
  p.deck = {{"a", a}};
  p.work.problem = "kernels";
  p.rank_grid = {1};
  p.measure(kernel_quantities(), {allocate, 3, {{0.5, 0.495, 0.51}}});
  return p;
}

/// The synchronous half of the experiment of [Valen2023] on the A100, with phases for the serial version, all
/// derived.
inline Report thesis() {
  Report report;
  report.provenance = {"0.1.0",
                       "0123456789abcdef",
                       "g++ 12.2",
                       "-O3 -ffp-contract=off",
                       "4.7.0",
                       "Serial, OpenMP",
                       "Serial",
                       "Open MPI 4.1.4",
                       "no",
                       "asked MPIX_Query_cuda_support",
                       {"CPU"},
                       {"node1"},
                       4,
                       "2026-01-02T03:04:05Z",
                       {{"initial", 42}},
                       "haloheap \"input/thesis.toml\""};
  for (const ThesisRow& row : a100_rows) {
    HeatPoint serial = point(row.depth, "sync", "none", row.serial);
    serial.result.phases = GridPhases{0.2, row.unpack, row.message, 0, 0, 4.7, row.desynchronisation};
    serial.head.verification = Verification{true, 1e-7, 1e-5};
    report.points.push_back(serial);
    report.points.push_back(point(row.depth, "sync", "first_step", row.overlapped));
  }
  report.points.front().notes = {"device times from events, read after the loop", "a, \"quoted\" note"};
  fill_comparisons(report.points, "heat2d", list_of(grid_quantities()));
  return report;
}

}  // namespace haloheap::report::sample

#endif
