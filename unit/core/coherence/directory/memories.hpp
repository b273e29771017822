// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_MEMORIES_HPP
#define HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_MEMORIES_HPP

#include <haloheap/core/coherence/state.hpp>
#include <haloheap/unit/core/coherence/directory/later.hpp>

#include <map>
#include <set>

namespace haloheap::coherence::test {

/// The newest version of each element of each object.
using Truth = std::vector<Versions>;

/// All memories: carries out plans, and looks at each step whether it may be done. What it counts itself must
/// be what the directory counts.
class Memories {
 public:
  /// `later`: null if work is done at once. `precise`: whether what a copy already has must not move (but to
  /// devices where copies in many pieces are brought again).
  Memories(const detail::State& state, const Truth& truth, Later* later, bool precise);

  /// `oldest_first`: copies go only to make room, and those that were not used for the longest time.
  void begin_operation(bool oldest_first);
  /// Returns false if the plan's last step asks for memory that cannot be had; `failures` counts down.
  bool carry_out(const detail::Plan& plan, int& failures);
  /// Another attempt at that last step.
  bool allocate(detail::CopyId copy, int& failures);

  const BufferPtr& at(detail::CopyId copy) const;
  void add_main(detail::CopyId copy, detail::ObjectId object);
  void remove_main(detail::CopyId copy);
  void hold(detail::CopyId copy);
  void let_go(detail::CopyId copy) { held_.erase(held_.find(copy)); }
  std::size_t held_bytes(Memory memory) const;
  /// What device copies of an object hold is no longer to be relied on.
  void forget(detail::ObjectId object);

  const std::map<detail::CopyId, BufferPtr>& buffers() const { return buffers_; }
  /// Copies that the last plan was made of.
  const std::vector<std::pair<detail::ObjectId, detail::Ticket>>& last_copies() const { return last_copies_; }
  /// The directory's counters and lists agree with what has happened.
  void compare_books() const;

 private:
  void copy(const detail::Plan& plan, const detail::Step& step);
  void release(const detail::Plan& plan, const detail::Step& step);
  void require_step(const detail::Step& step, const Buffer& from, const Buffer& to);
  void require_oldest(const Buffer& victim) const;
  void wait_for_room(Memory memory, std::size_t bytes);
  BufferPtr make(detail::ObjectId object, Memory memory, const Rect& rect) const;

  const detail::State& state_;
  const Truth& truth_;
  Later* later_;
  bool precise_;
  bool oldest_first_ = false;
  std::uint64_t operation_ = 0;
  std::map<detail::CopyId, BufferPtr> buffers_;
  std::multiset<detail::CopyId> held_;
  std::vector<std::size_t> used_;      ///< bytes by memory, in the program's order
  std::vector<std::size_t> occupied_;  ///< and so far
  std::vector<Amount> moved_;
  Amount allocations_;
  std::vector<std::pair<const Buffer*, Rect>> written_;  ///< by the plan that is carried out
  std::vector<std::pair<detail::ObjectId, detail::Ticket>> last_copies_;
};

}  // namespace haloheap::coherence::test

#endif
