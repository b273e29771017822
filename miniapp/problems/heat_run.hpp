// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_HEAT_RUN_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_HEAT_RUN_HPP

#include <haloheap/core/grid/initial_fill.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/heat_reference.hpp>
#include <haloheap/miniapp/run_memory.hpp>

#include <optional>

namespace haloheap {

/// One point of a heat sweep in one precision: its fields, its stepper, and what is measured on them.
template <class T>
class HeatRun {
 public:
  /// Collective; allocates. @throws AgreedError if any rank cannot
  HeatRun(const RunContext& context, const HeatSettings& settings, HeatReference& reference);

  /// Warm-up, repetitions, ceiling, verification, field files. Collective.
  report::Point run();

 private:
  void allocate();
  double repetition(bool shown, int number);
  void measure(report::Point& point);
  void measure_copy(report::Point& point);
  void describe(report::Point& point) const;
  report::Phases phases();

  const RunContext& context_;
  HeatSettings settings_;
  HeatReference& reference_;
  GridProblem problem_;
  FieldLayout layout_;
  InitialField initial_;
  RunMemory memory_;
  std::optional<Array<T>> first_, second_;
  std::optional<DeepHalo<T>> stepper_;
  std::optional<InitialFill<T>> fill_;
};

extern template class HeatRun<float>;
extern template class HeatRun<double>;

}  // namespace haloheap

#endif
