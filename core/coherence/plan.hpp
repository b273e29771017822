// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_PLAN_HPP
#define HALOHEAP_CORE_COHERENCE_PLAN_HPP

#include <haloheap/core/coherence/access.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace haloheap::coherence::detail {

/// Work of a memory that is done in order: kernels of one instance, the copies that come in, those that go
/// out.
using Queue = int;
enum class QueueKind { compute, in, out };
inline constexpr int queues_of_memory = 2 + max_instances;
constexpr Queue queue_of(Memory memory, QueueKind kind) {
  return memory * queues_of_memory + static_cast<int>(kind);
}
/// Of kernels: that of the first instance is queue_of(memory, QueueKind::compute).
constexpr Queue compute_queue(Memory memory, int instance) {
  return memory * queues_of_memory + (instance == 0 ? 0 : 2 + instance);
}
constexpr Memory memory_of_queue(Queue queue) {
  return queue / queues_of_memory;
}

/// A place in a queue. What stands before it in the queue is done before it.
struct Ticket {
  Queue queue = -1;
  std::uint64_t number = 0;  ///< counted from 1; 0: no work

  friend bool operator==(const Ticket&, const Ticket&) = default;
};

/// Part of a plan: dependences [first, last) of it.
struct Dependences {
  std::size_t first = 0, last = 0;
};

struct Step {
  enum class Kind {
    copy,      ///< elements `rect` go from copy `from` to copy `to`
    release,   ///< the memory of copy `to` is given back
    allocate,  ///< copy `to` gets memory
  };
  Kind kind = Kind::copy;
  CopyId from = no_copy, to = no_copy;
  Rect rect;
  Ticket ticket;      ///< of copies: where they stand
  Dependences after;  ///< what must be done before
};

/// What has to happen before elements can be used: steps in an order that is right, each with what it really
/// has to wait for. Steps of one queue are done in order; that order is no dependence of its own.
struct Plan {
  std::vector<Step> steps;
  std::vector<Ticket> tickets;  ///< of all dependences
  Dependences after;            ///< what the use of the elements has to wait for

  std::span<const Ticket> dependences(const Dependences& which) const {
    return std::span(tickets).subspan(which.first, which.last - which.first);
  }
  void clear() {
    steps.clear();
    tickets.clear();
    after = {};
  }
};

}  // namespace haloheap::coherence::detail

#endif
