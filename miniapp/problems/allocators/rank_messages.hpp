// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_RANK_MESSAGES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_RANK_MESSAGES_HPP

#include <haloheap/backend/clock.hpp>
#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/lanes/platform.hpp>

#include <cstddef>
#include <cstdint>

namespace haloheap {

/// Why ranks gave up. The first reason stands.
enum class GivenUp : int { no = 0, timeout = 1, no_memory = 2 };

/// Where a message waits for its receiver.
struct Mailbox {
  double* message;
};

/// Messages between ranks that are threads of one kernel. A message is memory that the sender allocates and
/// the receiver frees; a mailbox holds one, has one sender and one receiver, and starts out as null. Every
/// wait ends: with the message, after the timeout, or soon after some rank gave up.
template <class Handle>
class RankMessages {
  using Atomics = lanes::Platform::Atomics;

 public:
  /// @param given_up a GivenUp that all ranks share, `no` at the start
  KOKKOS_FUNCTION RankMessages(const Handle& heap, Mailbox* mailboxes, int* given_up,
                               std::uint64_t nanoseconds)
      : heap_(heap), mailboxes_(mailboxes), given_up_(given_up), timeout_(nanoseconds) {}

  /// Null: the heap is full, and all ranks give up.
  HALOHEAP_NOINLINE KOKKOS_FUNCTION double* allocate(unsigned n) const {
    auto* const data = static_cast<double*>(heap_.allocate(n * sizeof(double)));
    if (data == nullptr) give_up(GivenUp::no_memory);
    return data;
  }
  HALOHEAP_NOINLINE KOKKOS_FUNCTION void deallocate(double* data) const { heap_.deallocate(data); }

  /// Waits until the mailbox is empty, then leaves a copy of n doubles there.
  KOKKOS_FUNCTION bool send(std::size_t mailbox, const double* data, unsigned n) const {
    if (!await([&] { return Atomics::load(&mailboxes_[mailbox].message) == nullptr; })) return false;
    double* const message = allocate(n);
    if (message == nullptr) return false;
    for (unsigned i = 0; i < n; ++i) message[i] = data[i];
    Atomics::release_fence();
    Atomics::store(&mailboxes_[mailbox].message, message);
    return true;
  }

  /// Waits for the message, hands it to use(data) and frees it.
  template <class Use>
  KOKKOS_FUNCTION bool receive(std::size_t mailbox, const Use& use) const {
    double* message = nullptr;
    const auto there = [&] { return (message = Atomics::load(&mailboxes_[mailbox].message)) != nullptr; };
    if (!await(there)) return false;
    Atomics::fence();
    use(message);
    deallocate(message);
    Atomics::store(&mailboxes_[mailbox].message, nullptr);
    return true;
  }

 private:
  KOKKOS_FUNCTION void give_up(GivenUp reason) const {
    Atomics::compare_exchange(given_up_, static_cast<int>(GivenUp::no), static_cast<int>(reason));
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

}  // namespace haloheap

#endif
