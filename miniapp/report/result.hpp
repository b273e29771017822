// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_RESULT_HPP
#define HALOHEAP_MINIAPP_REPORT_RESULT_HPP

#include <haloheap/miniapp/report/quantities.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace haloheap::report {

/// What was computed, under names that do not depend on the deck's spelling.
struct Work {
  std::string problem;             ///< "heat2d"
  std::vector<std::int64_t> size;  ///< cells of the global grid, x first; 1 to 3 numbers
  std::int64_t steps = 0;
  std::string scalar;  ///< "float" or "double"
  int quantities = 1;
};

struct Verification {
  bool bitwise =
      false;  ///< every bit of the field, and of the residuals if there are any, is the reference's
  std::optional<double>
      sine_error;  ///< relative error against a mathematical solution; absent where there is none
  std::optional<double> tolerance;  ///< largest sine_error that passes
  std::string differs = {};         ///< what is not the reference's: "the field, the residual of step 3"

  /// A NaN error does not pass.
  bool passed() const { return bitwise && (!sine_error || (tolerance && *sine_error <= *tolerance)); }
};

/// `wrong` of `all`, which are `what`, are not what the host computed; verified if none is.
Verification verification_of(std::size_t wrong, std::size_t all, const std::string& what);

/// What differs from what the host computed; verified if nothing does.
Verification verification_of(const std::string& differs);

/// One combination of deck values: what ran and what came out.
struct Point {
  Settings
      deck;  ///< the keys that the problem uses, defaults filled in, lists expanded to this point's value
  Settings swept;  ///< the keys that the sweep varies
  Work work;
  int ranks = 1;
  std::vector<std::int64_t> rank_grid;       ///< ranks in x, y, z
  std::vector<Measurement> measured;         ///< names differ
  std::optional<Verification> verification;  ///< absent when nothing was verified
  std::vector<std::string> notes;       ///< remarks on this point, for example how device times were taken
  bool mpi_took_device_memory = false;  ///< MPI was handed memory of the device, and what arrived was right

  template <class Result>
  void measure(const Quantities<Result>& quantities, const Result& result) {
    quantities.measure(result, measured);
  }

  /// A measured value by the name of its quantity; null if the point has none.
  const deck::Value* find(std::string_view name) const;
  /// The same of a number; nothing for other values.
  std::optional<double> number(std::string_view name) const;
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
  // How busy and how fast the machine was when the run started; empty: its system does not tell.
  std::vector<double> loads = {};               ///< of each rank's host
  std::vector<std::int64_t> cores = {};         ///< of each rank's host
  std::vector<std::string> cpu_clocks = {};     ///< of each rank's host
  std::vector<std::string> drivers = {};        ///< of each rank's device
  std::vector<std::string> device_clocks = {};  ///< of each rank's device
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
