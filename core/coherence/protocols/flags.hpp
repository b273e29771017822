// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_PROTOCOLS_FLAGS_HPP
#define HALOHEAP_CORE_COHERENCE_PROTOCOLS_FLAGS_HPP

#include <haloheap/core/coherence/protocol.hpp>

namespace haloheap::coherence::detail {

/// What the policies share that keep one valid flag and one modified flag for all of a copy. Modified copies
/// of an object are disjoint, and they are valid; where none lies, the main copy is current.
class FlagProtocol : public Protocol {
 public:
  CopyId find(const State& state, const Request& request) const override;
  void write_back(Planner& planner, CopyId copy) const override;
  void drop(State& state, CopyId copy) const override;
  void begin(State& state, ObjectId object) const override;
  bool current(const State& state, CopyId copy, const Rect& rect) const override;
  bool host_alone(const State& state, ObjectId object) const override;

 protected:
  /// All of each modified copy that overlaps `rect`; those inside of it only if `covered_too`.
  void write_back_overlapping(Planner& planner, ObjectId object, const Rect& rect, bool covered_too) const;
  /// The main copy is valid as a whole as soon as no copy is modified.
  static void settle(State& state, ObjectId object);
};

}  // namespace haloheap::coherence::detail

#endif
