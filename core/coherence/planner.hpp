// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_PLANNER_HPP
#define HALOHEAP_CORE_COHERENCE_PLANNER_HPP

#include <haloheap/core/coherence/state.hpp>

namespace haloheap::coherence::detail {

/// Writes the steps of a plan, with their dependences, and keeps the counters. What steps mean for validity
/// is the protocols' business.
class Planner {
 public:
  Planner(State& everything, Plan& plan) : state(everything), plan_(plan) {}

  /// A new plan.
  void begin();
  /// Elements of `rect`, which both copies have; between them is a direct link.
  void copy(CopyId from, CopyId to, const Rect& rect);
  /// A slot for a copy that has no element yet, and the step that gives it memory.
  CopyId allocate(ObjectId object, Memory memory, const Rect& rect);
  void release(CopyId copy);
  /// What a use of `rect` in `memory`, which begins after the plan, has to wait for.
  void use(CopyId copy, const Rect& rect, bool write, Queue queue);

  State& state;
  std::vector<Rect> todo;  ///< for protocols: kept, so that no plan allocates

 private:
  Plan& plan_;
};

}  // namespace haloheap::coherence::detail

#endif
