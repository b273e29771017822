// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_STATE_MEASURE_HPP
#define HALOHEAP_CORE_STENCIL_STATE_MEASURE_HPP

#include <haloheap/backend/exec.hpp>

namespace haloheap::stencil {

/// A measure of the own cells of a subdomain, whatever its type.
class StateMeasure {
 public:
  using Exec = backend::Exec;

  StateMeasure() = default;
  StateMeasure(const StateMeasure&) = delete;
  StateMeasure& operator=(const StateMeasure&) = delete;
  virtual ~StateMeasure() = default;

  /// Enqueues on `exec` what adds the state of `fields` to slots of a MeasureHistory, and does not wait.
  virtual void run(const Exec& exec, const void* fields, double* slots) const = 0;
};

/// What a pass measures of the state that it leaves, on the way: a measure that Passes::measures says yes to.
/// Without slots it measures nothing.
struct MeasureTarget {
  const StateMeasure* measure = nullptr;
  double* slots = nullptr;  ///< of a MeasureHistory
};

}  // namespace haloheap::stencil

#endif
