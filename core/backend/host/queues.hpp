// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_QUEUES_HPP
#define HALOHEAP_BACKEND_QUEUES_HPP

#include <haloheap/core/backend/instance.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>

namespace haloheap::backend::host {

/// A point in a queue, and the time when it was reached.
struct Mark {
  bool reached = false;
  std::chrono::steady_clock::time_point time;
};

/// Queues that work waits in, as that of a device does. Host backends have none, and what is enqueued is done
/// before the call returns: then no event is needed, and none that is missing shows. Tests give them queues,
/// and do the work in any order that the events allow.
class Queues {
 public:
  virtual ~Queues() = default;

  /// An instance with a queue of its own.
  virtual Exec make() = 0;
  /// Work to be done in the order of the instance's queue.
  virtual void enqueue(const Exec& exec, std::function<void()> work) = 0;
  /// Marks what the queue holds.
  virtual std::shared_ptr<const Mark> mark(const Exec& exec) = 0;
  /// What is enqueued from now on is done once the mark is reached.
  virtual void order(const Exec& exec, const std::shared_ptr<const Mark>& mark) = 0;
  /// Whether the mark is reached. Who asks again and again hears yes in the end.
  virtual bool reached(const Mark& mark) = 0;
  /// Does what there is to do before the mark is reached.
  virtual void await(const Mark& mark) = 0;
  /// Does what there is to do before the queue is empty.
  virtual void drain(const Exec& exec) = 0;
};

/// Null: work is done at once.
inline std::atomic<Queues*> queues_in_use = nullptr;
inline Queues* queues() {
  return queues_in_use.load(std::memory_order_acquire);
}

/// Does the work, or puts a copy of it into the queue.
template <class Work>
void enqueue(const Exec& exec, const Work& work) {
  if (Queues* const queues = host::queues(); queues != nullptr)
    queues->enqueue(exec, work);
  else
    work();
}

}  // namespace haloheap::backend::host

#endif
