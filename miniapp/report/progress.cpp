// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/miniapp/report/progress.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unistd.h>
#include <utility>

namespace haloheap::report {
namespace {

constexpr double terminal_interval = 0.1;
constexpr double plain_interval = 5;
// "\r" cannot go back over a wrapped line, and 80 columns are the narrowest terminal in use.
constexpr std::size_t terminal_columns = 79;

std::string time_left(double seconds) {
  const long s = std::lround(std::min(seconds, 1e9));
  if (s < 120) return fmt::format("{} s", s);
  if (s < 2 * 3600) return fmt::format("{} min", (s + 59) / 60);
  return fmt::format("{} h", (s + 3599) / 3600);
}

}  // namespace

Progress::Progress(Sink sink, Clock clock, bool terminal)
    : sink_(std::move(sink)),
      clock_(std::move(clock)),
      terminal_(terminal),
      next_line_(-std::numeric_limits<double>::infinity()) {}

void Progress::begin_point(std::size_t number, std::size_t count, std::string label, double cells) {
  title_ = fmt::format("point {}/{}", number, count);
  label_ = std::move(label);
  cells_ = cells;
  point_start_ = clock_();
  update(0);
}

void Progress::update(double fraction) {
  const double now = clock_();
  if (now < next_line_) return;
  next_line_ = now + (terminal_ ? terminal_interval : plain_interval);
  show(line(std::clamp(fraction, 0.0, 1.0), now - point_start_));
}

void Progress::finish() {
  if (terminal_ && shown_width_ > 0) sink_('\r' + std::string(shown_width_, ' ') + '\r');
  shown_width_ = 0;
}

std::string Progress::line(double fraction, double elapsed) const {
  std::string numbers = fmt::format("{:3.0f} %", std::floor(100 * fraction));
  if (fraction > 0 && elapsed > 0) {
    if (cells_ > 0) numbers += fmt::format("  {:.3g} GCells/s", 1e-9 * cells_ * fraction / elapsed);
    numbers += fmt::format("  {} left", time_left(elapsed * (1 - fraction) / fraction));
  }
  std::string label = label_;
  const std::size_t taken = title_.size() + numbers.size() + 2;  // and two spaces
  if (terminal_ && taken + label.size() > terminal_columns) {
    const std::size_t room = terminal_columns > taken + 3 ? terminal_columns - taken - 3 : 0;
    label = label.substr(0, room) + "...";
  }
  return title_ + (label.empty() ? "" : " " + label) + " " + numbers;
}

void Progress::show(const std::string& text) {
  if (!terminal_) return sink_(text + '\n');
  const std::size_t width = text.size();
  sink_('\r' + text + std::string(shown_width_ > width ? shown_width_ - width : 0, ' '));
  shown_width_ = width;
}

Progress progress_to(std::FILE* file) {
  const auto write = [file](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), file);
    std::fflush(file);
  };
  return Progress(write, base::steady_seconds, ::isatty(::fileno(file)) == 1);
}

Progress no_progress() {
  return Progress([](std::string_view) {}, [] { return 0.0; }, true);
}

}  // namespace haloheap::report
