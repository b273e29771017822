// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANKS_MESSAGES_HPP
#define HALOHEAP_ALLOCATORS_RANKS_MESSAGES_HPP

#include <haloheap/allocators/coalescing/ask_alike.hpp>
#include <haloheap/backend/clock.hpp>
#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/lanes/platform.hpp>

#include <cstddef>
#include <cstdint>

namespace haloheap::allocators {

/// Why what ranks have made is not to be used. The first reason stands.
enum class GivenUp : int {
  no = 0,
  timeout = 1,     ///< one waited too long for another
  no_memory = 2,   ///< one got none
  undeclared = 3,  ///< one called an operation that has no mailboxes
  left_over = 4,   ///< all came to their end, and nobody took some message
};

/// Where a message waits for its receiver.
struct Mailbox {
  void* message;
};

/// Messages between ranks that are threads of one kernel. A message is memory that the sender allocates and
/// the receiver frees (send, receive), or memory of the sender that stays its own (post, await_taken); a
/// mailbox holds one, has one sender and one receiver, and starts out as null. Every wait ends: with the
/// message, after the timeout, or soon after some rank gave up. KernelRanks makes them.
template <class Handle>
class RankMessages {
  using Atomics = lanes::Platform::Atomics;

 public:
  /// @param given_up a GivenUp that all ranks share, `no` at the start
  KOKKOS_FUNCTION RankMessages(const Handle& heap, Mailbox* mailboxes, int* given_up,
                               std::uint64_t nanoseconds)
      : heap_(heap), mailboxes_(mailboxes), given_up_(given_up), timeout_(nanoseconds) {}

  /// Memory for n values. Null: the heap is full, and all ranks give up.
  template <class T>
  KOKKOS_FUNCTION T* allocate(std::size_t n) const {
    return static_cast<T*>(bytes_of_one(n * sizeof(T)));
  }
  /// All ranks of a team call, and ask for as much. Null as above.
  template <class T, class Member>
  KOKKOS_FUNCTION T* allocate_together(const Member& member, std::size_t n) const {
    return static_cast<T*>(bytes_of_all(member, n * sizeof(T)));
  }
  HALOHEAP_NOINLINE KOKKOS_FUNCTION void deallocate(void* data) const { heap_.deallocate(data); }
  /// All ranks do so soon.
  KOKKOS_FUNCTION void give_up(GivenUp reason) const {
    Atomics::compare_exchange(given_up_, static_cast<int>(GivenUp::no), static_cast<int>(reason));
  }

  /// Waits until the mailbox is empty, then leaves a copy of n values there.
  template <class T>
  KOKKOS_FUNCTION bool send(std::size_t mailbox, const T* data, unsigned n) const {
    if (!await_taken(mailbox)) return false;
    T* const message = allocate<T>(n);
    if (message == nullptr) return false;
    for (unsigned i = 0; i < n; ++i) message[i] = data[i];
    leave(mailbox, message);
    return true;
  }

  /// Waits until the mailbox is empty, then leaves the sender's own memory there. It must stay as it is until
  /// await_taken.
  KOKKOS_FUNCTION bool post(std::size_t mailbox, void* message) const {
    if (!await_taken(mailbox)) return false;
    leave(mailbox, message);
    return true;
  }

  /// Waits until the receiver no longer looks at what was left.
  KOKKOS_FUNCTION bool await_taken(std::size_t mailbox) const {
    if (!await([&] { return Atomics::load(&mailboxes_[mailbox].message) == nullptr; })) return false;
    Atomics::fence();
    return true;
  }

  /// Waits for the message, hands it to use(const T* data), and frees it if it was sent, not posted.
  template <class T, class Use>
  KOKKOS_FUNCTION bool receive(std::size_t mailbox, const Use& use, bool was_sent) const {
    void* message = nullptr;
    const auto there = [&] { return (message = Atomics::load(&mailboxes_[mailbox].message)) != nullptr; };
    if (!await(there)) return false;
    Atomics::fence();
    use(static_cast<const T*>(message));
    if (was_sent) deallocate(message);
    Atomics::fence();  // a posted message is its sender's again
    Atomics::store(&mailboxes_[mailbox].message, static_cast<void*>(nullptr));
    return true;
  }

 private:
  // A kernel holds the code of the heap once.
  HALOHEAP_NOINLINE KOKKOS_FUNCTION void* bytes_of_one(std::size_t bytes) const {
    return required(heap_.allocate(bytes));
  }
  template <class Member>
  HALOHEAP_NOINLINE KOKKOS_FUNCTION void* bytes_of_all(const Member& member, std::size_t bytes) const {
    return required(ask_alike(heap_, member, bytes));
  }

  KOKKOS_FUNCTION void* required(void* data) const {
    if (data == nullptr) give_up(GivenUp::no_memory);
    return data;
  }

  KOKKOS_FUNCTION void leave(std::size_t mailbox, void* message) const {
    Atomics::release_fence();
    Atomics::store(&mailboxes_[mailbox].message, message);
  }

  template <class Ready>
  KOKKOS_FUNCTION bool await(const Ready& ready) const {
    if (ready()) return true;
    const std::uint64_t start = backend::nanoseconds();
    while (!ready()) {
      if (Atomics::load(given_up_) != static_cast<int>(GivenUp::no)) return false;
      if (backend::nanoseconds() - start > timeout_) {
        give_up(GivenUp::timeout);
        return false;
      }
      lanes::Platform::pause();
    }
    return true;
  }

  Handle heap_;
  Mailbox* mailboxes_;
  int* given_up_;
  std::uint64_t timeout_;
};

}  // namespace haloheap::allocators

#endif
