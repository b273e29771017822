// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_CHOICES_HPP
#define HALOHEAP_MINIAPP_CHOICES_HPP

#include <haloheap/core/base/names.hpp>

// What users choose in the sections that all problems have.
namespace haloheap {

/// What a run measures (deck: run.measure).
enum class Measure { steps, exchange, overlap };

constexpr auto names_of(Measure) {
  return name_table<Measure>(
      "measurement",
      {{Measure::steps, "steps"}, {Measure::exchange, "exchange"}, {Measure::overlap, "overlap"}});
}

/// Whether a line shows how far a run has come (deck: output.progress). Automatic: it moves on a terminal.
enum class ProgressLine { automatic, on, off };

constexpr auto names_of(ProgressLine) {
  return name_table<ProgressLine>(
      "choice", {{ProgressLine::automatic, "auto"}, {ProgressLine::on, "on"}, {ProgressLine::off, "off"}});
}

}  // namespace haloheap

#endif
