// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/layout.hpp>

namespace haloheap::report {
namespace {

/// Completion, and the points that it is about.
struct Progressed {
  Completion completion;
  std::size_t finished = 0;
};

std::optional<Progressed> progressed(const Report& report) {
  if (!report.completion) return std::nullopt;
  return Progressed{*report.completion, report.points.size()};
}

std::optional<std::string> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

template <class T>
std::optional<std::vector<T>> unless_empty(const std::vector<T>& values) {
  return values.empty() ? std::nullopt : std::optional(values);
}

Quantities<Provenance> provenance_quantities() {
  using P = Provenance;
  return {
      {{"provenance.program_version", "", "version", "Version of haloheap."}, &P::program_version},
      {{"provenance.git_revision", "", "revision", "Revision of haloheap's sources."}, &P::git_revision},
      {{"provenance.compiler", "", "compiler", "The compiler, with its version."}, &P::compiler},
      {{"provenance.compiler_flags", "", "flags", "Flags of the compiler."}, &P::compiler_flags},
      {{"provenance.kokkos_version", "", "Kokkos", "Version of Kokkos."}, &P::kokkos_version},
      {{"provenance.kokkos_configuration", "", "configuration", "What Kokkos says of its configuration."},
       &P::kokkos_configuration},
      {{"provenance.execution_space", "", "backend",
        "Kokkos execution space of the kernels, with its concurrency."},
       &P::execution_space},
      {{"provenance.mpi_library", "", "MPI", "The MPI library, with its version."}, &P::mpi_library},
      {{"provenance.gpu_aware", "", "GPU-aware",
        "Whether MPI takes device memory: yes, no or not applicable."},
       &P::gpu_aware},
      {{"provenance.gpu_aware_from", "", "GPU-aware from", "How gpu_aware was found out."},
       &P::gpu_aware_from},
      {{"provenance.devices", "", "devices", "The device of each rank."}, &P::devices},
      {{"provenance.hosts", "", "hosts", "The host of each rank."}, &P::hosts},
      {{"provenance.ranks", "", "ranks", "MPI ranks of the run.", {}, Range::positive}, &P::ranks},
      {{"provenance.start_time", "", "start", "When the run started, in ISO 8601 with time zone."},
       &P::start_time},
      {{"provenance.command_line", "", "command line", "The command line that started the program."},
       &P::command_line},
      {{"provenance.loads", "", "load",
        "The load of each rank's host when the run started: processes that ran or waited for a core, mean of "
        "the minute before. Left out where the system does not tell."},
       [](const P& p) { return unless_empty(p.loads); }},
      {{"provenance.cores",
        "",
        "cores",
        "Hardware threads of each rank's host. Left out where the load is.",
        {},
        Range::positive},
       [](const P& p) { return unless_empty(p.cores); }},
      {{"provenance.cpu_clocks", "", "CPU clocks",
        "Governor and range of the clocks of each rank's host. Left out where the system does not tell, as "
        "in many virtual machines."},
       [](const P& p) { return unless_empty(p.cpu_clocks); }},
      {{"provenance.drivers", "", "driver",
        "Version of the driver of each rank's device. Left out where there is none."},
       [](const P& p) { return unless_empty(p.drivers); }},
      {{"provenance.device_clocks", "", "device clocks",
        "Clocks of each rank's device when the run started, and the highest that it has; whether power or "
        "heat slowed it down. Left out where nothing tells."},
       [](const P& p) { return unless_empty(p.device_clocks); }},
  };
}

Quantities<Progressed> completion_quantities() {
  using P = Progressed;
  return {
      {{"completion.complete", "", "complete",
        "The run came to its end. If not, it was still running, was killed, or ended with the error."},
       [](const P& p) { return p.completion.complete; }},
      {{"completion.planned_points",
        "",
        "planned points",
        "Number of points of the sweep.",
        {},
        Range::positive},
       [](const P& p) { return p.completion.planned; }},
      {{"completion.finished_points", "", "finished points", "Number of points in the file."}, &P::finished},
      {{"completion.error", "", "error", "What ended the run early, if it could still say so."},
       [](const P& p) { return unless_empty(p.completion.error); }},
  };
}

Quantities<Verification> verification_quantities() {
  using V = Verification;
  return {
      {{"verification.passed", "", "verified",
        "The result is the reference's, as far as it was compared. Verification is left out when there was "
        "none.",
        Shown{}},
       &V::passed},
      {{"verification.bitwise", "", "same bits",
        "Every value that was compared, of fields every bit, is what the host computed."},
       &V::bitwise},
      {{"verification.sine_error", "", "error of the solution",
        "Relative error against a mathematical solution, of problems that have one: the exact decay of a "
        "discrete sine mode, for example."},
       &V::sine_error},
      {{"verification.tolerance", "", "tolerance", "The largest sine_error that passes."}, &V::tolerance},
      {{"verification.differs", "", "differs",
        "What is not the reference's: the field, the residual of step n. Left out where all is equal."},
       [](const V& v) { return unless_empty(v.differs); }},
  };
}

}  // namespace

const Quantities<Report>& report_quantities() {
  static const auto all = Quantities<Report>{}
                              .with(&Report::provenance, provenance_quantities())
                              .with(progressed, completion_quantities());
  return all;
}

const Quantities<Point>& point_head() {
  using P = Point;
  static const Quantities<P> all = {
      {{"work.problem", "", "problem", "The problem that was computed."},
       [](const P& p) { return p.work.problem; }},
      {{"work.size",
        "",
        "size",
        "Cells of the grid, or elements, x first; none where the deck says it all.",
        {},
        Range::positive},
       [](const P& p) { return p.work.size; }},
      {{"work.steps", "", "steps", "Time steps, calls or iterations of a run; 0 where there are none."},
       [](const P& p) { return p.work.steps; }},
      {{"work.scalar", "", "precision", "Type of the values, for example float or double."},
       [](const P& p) { return p.work.scalar; }},
      {{"work.quantities", "", "quantities", "Values of each cell or element.", {}, Range::positive},
       [](const P& p) { return p.work.quantities; }},
      {{"ranks", "", "ranks", "MPI ranks of the point.", {}, Range::positive}, &P::ranks},
      {{"rank_grid", "", "rank grid", "Ranks in x, y, z.", {}, Range::positive}, &P::rank_grid},
  };
  return all;
}

const Quantities<Point>& point_tail() {
  static const auto all = Quantities<Point>{
      {{"notes", "", "notes", "Remarks on the point, for example what auto chose."},
       &Point::notes}}.with(&Point::verification, verification_quantities());
  return all;
}

std::vector<Measurement> values_of(const Point& point) {
  std::vector<Measurement> values;
  point_head().measure(point, values);
  values.insert(values.end(), point.measured.begin(), point.measured.end());
  point_tail().measure(point, values);
  return values;
}

}  // namespace haloheap::report
