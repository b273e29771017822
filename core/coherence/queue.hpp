// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_QUEUE_HPP
#define HALOHEAP_CORE_COHERENCE_QUEUE_HPP

#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/coherence/plan.hpp>

#include <array>

namespace haloheap::coherence::detail {

/// An instance of a device, and the places in its queue that others wait for.
class WorkQueue {
 public:
  explicit WorkQueue(int device) : instance_(backend::Priority::low, device) {}

  const backend::Exec& exec() const { return instance_.exec(); }
  /// What has been enqueued up to now is what the ticket stands for.
  void record(const Ticket& ticket) { event(ticket).record(exec()); }
  /// An old ticket may share its event with a later one of the same queue, which is done after it.
  const backend::Event& event_of(const Ticket& ticket) const {
    return ticket.number <= covered_ ? covering_ : events_[slot(ticket)];
  }
  /// What has been enqueued up to now is what all tickets up to this number stand for.
  void cover(std::uint64_t last) {
    covered_ = last;
    covering_.record(exec());
  }
  /// What is enqueued from now on is done after all that `other` has been given up to now.
  void follow(WorkQueue& other) {
    other.reached_.record(other.exec());
    other.reached_.wait_on(exec());
  }

 private:
  static constexpr std::size_t events = 256;
  static std::size_t slot(const Ticket& ticket) { return ticket.number % events; }
  backend::Event& event(const Ticket& ticket) { return events_[slot(ticket)]; }

  backend::Instance instance_;
  std::array<backend::Event, events> events_;
  backend::Event covering_, reached_;
  std::uint64_t covered_ = 0;
};

}  // namespace haloheap::coherence::detail

#endif
