// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_PROGRESS_HPP
#define HALOHEAP_MINIAPP_REPORT_PROGRESS_HPP

#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

namespace haloheap::report {

/// The progress line of a sweep:
///   point 3/28 halo.depth=4 ...  63 %  12.3 GCells/s  4 s left
/// Percentage, rate and time left are those of the current point. A terminal shows one line, rewritten at
/// most ten times a second and removed by `finish`; anything else gets a whole line at most every five
/// seconds. Give it to one rank only.
class Progress {
 public:
  using Sink = std::function<void(std::string_view)>;
  using Clock = std::function<double()>;  ///< seconds, never going back

  Progress(Sink sink, Clock clock, bool terminal);

  /// Starts point `number` (from 1) of `count`. `cells` is the number of useful cell updates until
  /// `update(1)`; 0: no rate is shown.
  void begin_point(std::size_t number, std::size_t count, std::string label, double cells);

  /// `fraction` of the point is done, 0 to 1. Cheap when it is too early for another line.
  void update(double fraction);

  /// Removes the line from a terminal, so that what is printed next starts clean.
  void finish();

 private:
  std::string line(double fraction, double elapsed) const;
  void show(const std::string& text);

  Sink sink_;
  Clock clock_;
  bool terminal_;
  std::string title_;
  std::string label_;
  double cells_ = 0;
  double point_start_ = 0;
  double next_line_;
  std::size_t shown_width_ = 0;
};

/// Writes to `file` (stderr in the app), with the steady clock; a terminal is recognised by isatty.
Progress progress_to(std::FILE* file);

/// Shows nothing: for the other ranks.
Progress no_progress();

}  // namespace haloheap::report

#endif
