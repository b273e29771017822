// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANKS_COLLECTIVES_HPP
#define HALOHEAP_ALLOCATORS_RANKS_COLLECTIVES_HPP

#include <haloheap/allocators/ranks/messages.hpp>
#include <haloheap/core/base/names.hpp>
#include <haloheap/core/lanes/bits.hpp>

#include <initializer_list>

namespace haloheap::allocators {

enum class Collective { reduce, broadcast, alltoall };

constexpr auto names_of(Collective) {
  return name_table<Collective>("collective", {{Collective::reduce, "reduce"},
                                               {Collective::broadcast, "broadcast"},
                                               {Collective::alltoall, "alltoall"}});
}

namespace detail {

/// Rounds of a binomial tree of so many ranks.
KOKKOS_INLINE_FUNCTION unsigned tree_rounds(unsigned ranks) {
  return ranks <= 1 ? 0 : lanes::bits::highest(ranks - 1) + 1;
}

/// Mailboxes that an operation needs; one at least.
inline std::size_t mailboxes_of(Collective operation, std::size_t ranks) {
  if (operation == Collective::broadcast) return ranks;
  return ranks * (operation == Collective::reduce ? tree_rounds(static_cast<unsigned>(ranks)) + 1 : ranks);
}

}  // namespace detail

/// The mailboxes of each operation have a place of their own: a rank may begin the next operation while
/// others are in the one before.
struct MailboxPlaces {
  static constexpr std::size_t none = ~std::size_t{0};
  std::size_t reduce = none, broadcast = none, alltoall = none;
  std::size_t count = 0;

  MailboxPlaces() = default;
  /// @param operations that there will be: one mailbox or a few for each rank; alltoall has one for each two
  MailboxPlaces(std::initializer_list<Collective> operations, std::size_t ranks) {
    for (const Collective operation : operations) {
      if (operation == Collective::reduce) reduce = count;
      if (operation == Collective::broadcast) broadcast = count;
      if (operation == Collective::alltoall) alltoall = count;
      count += detail::mailboxes_of(operation, ranks);
    }
  }

  /// No array, which kernels would have to keep in memory.
  KOKKOS_FUNCTION std::size_t of(Collective operation) const {
    return operation == Collective::alltoall ? alltoall
           : operation == Collective::reduce ? reduce
                                             : broadcast;
  }
};

/// The collective operations of one rank, over buffers of n values (alltoall: n for each rank):
///   reduce     `to` of rank 0 becomes the sum over all ranks' `from`; the others' `to` is a work space
///   broadcast  `to` of all ranks becomes `from` of rank 0
///   alltoall   part r of `from` goes to rank r, and becomes part `rank` of its `to`
/// All ranks call the same, and with as much. False: this rank, or one that it waits for, gave up, and with
/// it soon all do; KernelRanks::require_done says why. Reduce and broadcast go along binomial trees.
template <class Handle>
class RankCollectives {
 public:
  KOKKOS_FUNCTION RankCollectives(const RankMessages<Handle>& messages, const MailboxPlaces& places,
                                  unsigned rank, unsigned size)
      : messages_(messages), places_(places), rank_(rank), size_(size) {}

  /// The same for another rank.
  KOKKOS_FUNCTION RankCollectives of(unsigned rank) const { return {messages_, places_, rank, size_}; }

  KOKKOS_FUNCTION unsigned rank() const { return rank_; }
  KOKKOS_FUNCTION unsigned size() const { return size_; }
  KOKKOS_FUNCTION const RankMessages<Handle>& messages() const { return messages_; }
  /// Times n values, the length of `from`.
  KOKKOS_FUNCTION unsigned parts(Collective operation) const {
    return operation == Collective::alltoall ? size_ : 1;
  }

  /// With a buffer of each rank that all threads of a team allocate together before, and free after it: how
  /// functions of a library communicate in [Blach2022] (section 3.1). It is the faster way.
  template <class T, class Member>
  KOKKOS_FUNCTION bool run(Collective operation, const Member& member, const T* from, T* to,
                           unsigned n) const {
    T* const buffer = messages_.template allocate_together<T>(member, std::size_t{parts(operation)} * n);
    const bool done = buffer != nullptr && run(operation, from, to, n, buffer);
    messages_.deallocate(buffer);
    return done;
  }
  /// The same in threads that are in no team, or at different places: each message is memory that its sender
  /// allocates and its receiver frees.
  /// @param buffer of this rank, as long as `from`, for its messages in place of memory of the heap
  template <class T>
  KOKKOS_FUNCTION bool run(Collective operation, const T* from, T* to, unsigned n,
                           T* buffer = nullptr) const {
    if (places_.of(operation) == MailboxPlaces::none) {
      messages_.give_up(GivenUp::undeclared);
      return false;
    }
    start(operation, from, to, n);
    const unsigned steps = steps_of(operation);
    bool is_filled = false;  // reduce and broadcast send the same to all
    for (unsigned i = 0; i < steps; ++i) {
      const Step step = step_of(operation, i);
      const std::size_t place = std::size_t{step.part} * n;
      const T* const source = operation == Collective::alltoall ? from : to;
      if (step.kind == Kind::send && buffer != nullptr) {
        if (!is_filled || operation == Collective::alltoall) copy(source + place, buffer + place, n);
        is_filled = true;
        if (!messages_.post(step.mailbox, buffer + place)) return false;
      } else if (step.kind == Kind::send) {
        if (!messages_.send(step.mailbox, source + place, n)) return false;
      }
      const auto take = [&](const T* data) { receive(operation, to + place, data, n); };
      if (step.kind == Kind::receive && !messages_.template receive<T>(step.mailbox, take, buffer == nullptr))
        return false;
    }
    return buffer == nullptr || all_taken(operation);
  }

 private:
  // What a rank does is a list of steps, so that a kernel holds the code of the heap once for all operations.
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
      if (step.kind == Kind::send && !messages_.await_taken(step.mailbox)) return false;
    }
    return true;
  }

  template <class T>
  KOKKOS_FUNCTION static void copy(const T* from, T* to, unsigned n) {
    for (unsigned i = 0; i < n; ++i) to[i] = from[i];
  }

  template <class T>
  KOKKOS_FUNCTION void start(Collective operation, const T* from, T* to, unsigned n) const {
    if (operation == Collective::broadcast && rank_ != 0) return;
    const std::size_t place = operation == Collective::alltoall ? std::size_t{rank_} * n : 0;
    copy(from + place, to + place, n);
  }

  template <class T>
  KOKKOS_FUNCTION static void receive(Collective operation, T* to, const T* data, unsigned n) {
    const bool add = operation == Collective::reduce;
    for (unsigned i = 0; i < n; ++i) to[i] = add ? to[i] + data[i] : data[i];
  }

  KOKKOS_FUNCTION unsigned steps_of(Collective operation) const {
    return operation == Collective::alltoall ? 2 * (size_ - 1) : detail::tree_rounds(size_);
  }

  KOKKOS_FUNCTION Step step_of(Collective operation, unsigned i) const {
    Step step =
        operation == Collective::alltoall ? alltoall_step(i) : tree_step(operation == Collective::reduce, i);
    step.mailbox += places_.of(operation);
    return step;
  }

  KOKKOS_FUNCTION Step tree_step(bool reduces, unsigned i) const {
    const unsigned distance = 1U << (reduces ? i : detail::tree_rounds(size_) - 1 - i);
    const unsigned parent = rank_ & ~distance;
    if ((rank_ & (distance - 1)) != 0) return {Kind::none, 0, 0};
    const bool child = parent != rank_;
    if (!child && rank_ + distance >= size_) return {Kind::none, 0, 0};
    if (reduces) return {child ? Kind::send : Kind::receive, std::size_t{i} * size_ + parent, 0};
    return {child ? Kind::receive : Kind::send, child ? rank_ : rank_ + distance, 0};
  }

  /// First all sends, each rank beginning with its neighbour; then all receives.
  KOKKOS_FUNCTION Step alltoall_step(unsigned i) const {
    const unsigned others = size_ - 1;
    if (i < others) {
      const unsigned target = (rank_ + 1 + i) % size_;
      return {Kind::send, std::size_t{target} * size_ + rank_, target};
    }
    const unsigned source = (rank_ + size_ - (i - others + 1)) % size_;
    return {Kind::receive, std::size_t{rank_} * size_ + source, source};
  }

  RankMessages<Handle> messages_;
  MailboxPlaces places_;
  unsigned rank_, size_;
};

}  // namespace haloheap::allocators

#endif
