// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_LATER_HPP
#define HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_LATER_HPP

#include <haloheap/core/coherence/plan.hpp>
#include <haloheap/unit/core/coherence/directory/buffer.hpp>

#include <deque>
#include <functional>
#include <random>
#include <span>

namespace haloheap::coherence::test {

/// Work that stands in a queue, or that only waits for its dependences (queue -1).
struct Action {
  detail::Ticket ticket;
  std::vector<detail::Ticket> after;
  std::vector<BufferPtr> buffers;
  std::function<void()> run;
};

/// Does work in random order: what stands in one queue in its order, and each action after its dependences.
/// A dependence that is missing from a plan shows as a wrong version or as memory that goes while it is used.
class Later {
 public:
  Later(int queues, unsigned seed);

  void add(Action action);
  /// The memory of the action's buffer is given back: nothing may use it by then.
  void release(Action action);
  /// Does what these wait for and, at random, more.
  void wait(std::span<const detail::Ticket> tickets);
  /// Carries out the oldest pending release of memory of this device; false if there is none.
  bool release_one(Memory memory);
  void all();
  /// How far each queue is.
  std::vector<detail::Ticket> done() const;

 private:
  struct Line {
    std::deque<Action> actions;
    std::uint64_t done = 0, added = 0;
  };

  bool done(const detail::Ticket& ticket) const;
  bool ready(const Action& action) const;
  void force(const detail::Ticket& ticket);
  void run_front(Line& line);
  void run_release(std::size_t which);
  bool run_any();

  std::vector<Line> lines_;
  std::vector<Action> releases_;
  std::mt19937 random_;
  int eagerness_;  ///< how much more than is needed is done
};

}  // namespace haloheap::coherence::test

#endif
