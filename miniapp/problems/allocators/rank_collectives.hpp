// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_RANK_COLLECTIVES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_RANK_COLLECTIVES_HPP

#include <haloheap/core/base/names.hpp>
#include <haloheap/core/lanes/bits.hpp>
#include <haloheap/miniapp/problems/allocators/rank_messages.hpp>

namespace haloheap {

enum class Collective { reduce, broadcast, alltoall };

constexpr auto names_of(Collective) {
  return name_table<Collective>("collective", {{Collective::reduce, "reduce"},
                                               {Collective::broadcast, "broadcast"},
                                               {Collective::alltoall, "alltoall"}});
}

/// Where messages are. Between two ranks: memory that the sender allocates and the receiver frees, each when
/// it gets to it. Collective: a buffer of each rank, which all allocate together before the operation and
/// free after it, and which the others read ([Blach2022], section 3.1: library functions that allocate).
enum class CollectiveMethod { collective, point_to_point };

constexpr auto names_of(CollectiveMethod) {
  return name_table<CollectiveMethod>("method", {{CollectiveMethod::collective, "collective"},
                                                 {CollectiveMethod::point_to_point, "point_to_point"}});
}

/// Requests of all ranks for messages, in one operation.
inline std::size_t message_requests(Collective operation, CollectiveMethod method, std::size_t ranks) {
  if (method == CollectiveMethod::collective) return ranks;
  return (ranks - 1) * (operation == Collective::alltoall ? ranks : 1);
}

/// Rounds of a binomial tree of so many ranks.
KOKKOS_INLINE_FUNCTION unsigned tree_rounds(unsigned ranks) {
  return ranks <= 1 ? 0 : lanes::bits::highest(ranks - 1) + 1;
}

/// Mailboxes that the operation needs; one at least.
inline std::size_t mailboxes_of(Collective operation, std::size_t ranks) {
  if (operation == Collective::broadcast) return ranks;
  return ranks * (operation == Collective::reduce ? tree_rounds(static_cast<unsigned>(ranks)) + 1 : ranks);
}

/// The collective operations of one rank, over buffers of n doubles (alltoall: n for each rank):
///   reduce     `to` of rank 0 becomes the sum over all ranks' `from`; the others' `to` is a work space
///   broadcast  `to` of all ranks becomes `from` of rank 0
///   alltoall   part r of `from` goes to rank r, and becomes part `rank` of its `to`
/// Reduce and broadcast go along binomial trees. What a rank does is a list of steps, so that a kernel holds
/// the code of the allocator once for all operations. `buffer` is the rank's own for its messages, as long as
/// `from`; or null, and each message is allocated.
template <class Handle>
struct RankCollectives {
  RankMessages<Handle> messages;
  unsigned rank, ranks;
  unsigned n;

  /// All ranks call the same. False: this rank, or one that it waits for, gave up.
  KOKKOS_FUNCTION bool run(Collective operation, const double* from, double* to, double* buffer) const {
    start(operation, from, to);
    const unsigned steps = steps_of(operation);
    bool is_filled = false;  // reduce and broadcast send the same to all
    for (unsigned i = 0; i < steps; ++i) {
      const Step step = step_of(operation, i);
      const std::size_t place = std::size_t{step.part} * n;
      const double* const source = operation == Collective::alltoall ? from : to;
      if (step.kind == Kind::send && buffer != nullptr) {
        if (!is_filled || operation == Collective::alltoall) copy(source + place, buffer + place);
        is_filled = true;
        if (!messages.post(step.mailbox, buffer + place)) return false;
      } else if (step.kind == Kind::send) {
        if (!messages.send(step.mailbox, source + place, n)) return false;
      }
      const auto take = [&](const double* data) { receive(operation, to + place, data); };
      if (step.kind == Kind::receive && !messages.receive(step.mailbox, take, buffer == nullptr))
        return false;
    }
    return buffer == nullptr || all_taken(operation);
  }

 private:
  enum class Kind { none, send, receive };
  struct Step {
    Kind kind;
    std::size_t mailbox;
    unsigned part;  ///< of the buffer, in alltoall
  };

  KOKKOS_FUNCTION bool all_taken(Collective operation) const {
    const unsigned steps = steps_of(operation);
    for (unsigned i = 0; i < steps; ++i) {
      const Step step = step_of(operation, i);
      if (step.kind == Kind::send && !messages.await_taken(step.mailbox)) return false;
    }
    return true;
  }

  KOKKOS_FUNCTION void copy(const double* from, double* to) const {
    for (unsigned i = 0; i < n; ++i) to[i] = from[i];
  }

  KOKKOS_FUNCTION void start(Collective operation, const double* from, double* to) const {
    if (operation == Collective::broadcast && rank != 0) return;
    const std::size_t place = operation == Collective::alltoall ? std::size_t{rank} * n : 0;
    copy(from + place, to + place);
  }

  KOKKOS_FUNCTION void receive(Collective operation, double* to, const double* data) const {
    const bool add = operation == Collective::reduce;
    for (unsigned i = 0; i < n; ++i) to[i] = add ? to[i] + data[i] : data[i];
  }

  KOKKOS_FUNCTION unsigned steps_of(Collective operation) const {
    return operation == Collective::alltoall ? 2 * (ranks - 1) : tree_rounds(ranks);
  }

  KOKKOS_FUNCTION Step step_of(Collective operation, unsigned i) const {
    if (operation == Collective::alltoall) return alltoall_step(i);
    const bool reduces = operation == Collective::reduce;
    const unsigned distance = 1U << (reduces ? i : tree_rounds(ranks) - 1 - i);
    const unsigned parent = rank & ~distance;
    if ((rank & (distance - 1)) != 0) return {Kind::none, 0, 0};
    const bool child = parent != rank;
    if (!child && rank + distance >= ranks) return {Kind::none, 0, 0};
    if (reduces) return {child ? Kind::send : Kind::receive, std::size_t{i} * ranks + parent, 0};
    return {child ? Kind::receive : Kind::send, child ? rank : rank + distance, 0};
  }

  /// First all sends, each rank beginning with its neighbour; then all receives.
  KOKKOS_FUNCTION Step alltoall_step(unsigned i) const {
    const unsigned others = ranks - 1;
    if (i < others) {
      const unsigned target = (rank + 1 + i) % ranks;
      return {Kind::send, std::size_t{target} * ranks + rank, target};
    }
    const unsigned source = (rank + ranks - (i - others + 1)) % ranks;
    return {Kind::receive, std::size_t{rank} * ranks + source, source};
  }
};

}  // namespace haloheap

#endif
