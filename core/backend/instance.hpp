// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_INSTANCE_HPP
#define HALOHEAP_CORE_BACKEND_INSTANCE_HPP

#include <haloheap/backend/exec.hpp>

#include <cstddef>
#include <memory>

namespace haloheap::backend {

enum class Priority { low, high };

/// An execution-space instance of its own with the asked priority, and its lifetime. Kokkos' partition_space
/// gives instances without priority; on host backends there is one queue, whatever the priority and the
/// device. Kokkos makes an instance's device current whenever it works for it, and leaves it so: where there
/// are several devices, name the one that is meant.
class Instance {
 public:
  /// On the device that is current.
  explicit Instance(Priority priority);
  /// Leaves the current device as it is, also at its end. \throws CapabilityError if there is no such device
  Instance(Priority priority, int device);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  const Exec& exec() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Whether an event can be asked for its time. Those that cannot cost less.
enum class Timing { off, on };

/// A point in the queue of an instance of any device. On host backends, where launches block, it is a point
/// in time. Before it is first recorded it is ready, and nothing waits for it.
class Event {
 public:
  Event() : Event(Timing::off) {}
  explicit Event(Timing timing);
  ~Event();
  Event(Event&&) noexcept;
  Event& operator=(Event&&) noexcept;

  /// Marks everything enqueued on `exec` so far. The first time, and when the device is not that of the time
  /// before, this takes longer: an event belongs to a device.
  void record(const Exec& exec);
  /// True when the marked work is done. Never blocks.
  bool ready() const;
  /// Blocks this thread until the marked work is done; other instances go on.
  void wait_on_host() const;
  /// Work enqueued on `exec` from now on starts after the marked work, which may be of another device. Does
  /// not block this thread.
  void wait_on(const Exec& exec) const;

  /// Seconds from one event to another; both must be timed, done, and of one device.
  friend double seconds_between(const Event& begin, const Event& end);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

double seconds_between(const Event& begin, const Event& end);

/// Blocks this thread until everything enqueued on `exec` so far is done; other instances go on.
inline void wait_for(const Exec& exec) {
  Event done;
  done.record(exec);
  done.wait_on_host();
}

/// Enqueues a copy between any two memories. From or to pageable memory it may block this thread.
void copy_async(const Exec& exec, void* to, const void* from, std::size_t bytes);

/// The same, and blocks this thread until it is done.
inline void copy(const Exec& exec, void* to, const void* from, std::size_t bytes) {
  copy_async(exec, to, from, bytes);
  wait_for(exec);
}

}  // namespace haloheap::backend

#endif
