// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_BACKEND_EMULATED_QUEUES_HPP
#define HALOHEAP_UNIT_CORE_BACKEND_EMULATED_QUEUES_HPP

#include <haloheap/core/backend/host/queues.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <set>

namespace haloheap::testing {

/// Streams of a device on a host: each instance has a queue, and one piece of work after the other is done by
/// whoever waits or enqueues, in an order that is random but for the order of each queue and the events. A
/// wait that is missing shows, in some of the orders, as a wrong value, and the seed brings it back. Some
/// seeds do work early, others none that nobody waits for, so that the host finds old values; some queues run
/// far ahead of others. Pieces never overlap: what a kernel sees of another is all or nothing.
///
/// Holds for instances that are made while it lives. Kernels that are launched past backend::parallel_for,
/// and Kokkos' own copies and fences, find all queues empty.
class EmulatedQueues final : public backend::host::Queues {
 public:
  using Exec = backend::Exec;
  using Mark = backend::host::Mark;

  explicit EmulatedQueues(std::uint64_t seed);
  /// Does all that is left.
  ~EmulatedQueues() override;
  EmulatedQueues(const EmulatedQueues&) = delete;
  EmulatedQueues& operator=(const EmulatedQueues&) = delete;

  /// Whether instances of this backend can be told apart. Those of std::thread cannot.
  static bool possible();

  Exec make() override;
  void enqueue(const Exec& exec, std::function<void()> work) override;
  std::shared_ptr<const Mark> mark(const Exec& exec) override;
  void order(const Exec& exec, const std::shared_ptr<const Mark>& mark) override;
  bool reached(const Mark& mark) override;
  void await(const Mark& mark) override;
  void drain(const Exec& exec) override;
  void drain_all();

  /// Pieces of work that were done.
  std::uint64_t done() const { return done_; }
  /// Those that were done before work that had been enqueued earlier.
  std::uint64_t overtaking() const { return overtaking_; }
  /// What is enqueued and not done.
  std::uint64_t waiting() const;

 private:
  struct Queue;
  struct QueueMark : Mark {
    Queue* queue = nullptr;
  };
  /// One of the three.
  struct Entry {
    std::function<void()> work;
    std::shared_ptr<const QueueMark> after;
    std::shared_ptr<QueueMark> mark;
    std::uint64_t number = 0;
  };
  struct Queue {
    Exec exec;
    std::uint64_t priority = 0;
    std::deque<Entry> entries;

    bool ready() const {
      return !entries.empty() && (!entries.front().after || entries.front().after->reached);
    }
  };

  Queue& queue_of(const Exec& exec);
  void add(const Exec& exec, Entry entry);
  void needed_for(const QueueMark& mark, std::set<const QueueMark*>& seen, std::set<Queue*>& queues) const;
  bool chance(double probability);
  void do_some();
  bool do_any();
  void do_one_of(const std::set<Queue*>& queues);
  bool earlier_work_waits(std::uint64_t number) const;
  void watch_kokkos();

  mutable std::recursive_mutex mutex_;
  std::mt19937_64 random_;
  double eagerness_;
  bool at_work_ = false;
  std::deque<Queue> queues_;  // as first met
  std::uint64_t enqueued_ = 0, done_ = 0, overtaking_ = 0;
  Kokkos::Tools::Experimental::EventSet callbacks_before_;
};

}  // namespace haloheap::testing

#endif
