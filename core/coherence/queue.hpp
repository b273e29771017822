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
  const backend::Event& event_of(const Ticket& ticket) const { return events_[slot(ticket)]; }

 private:
  static constexpr std::size_t events = 256;
  static std::size_t slot(const Ticket& ticket) { return ticket.number % events; }
  backend::Event& event(const Ticket& ticket) { return events_[slot(ticket)]; }

  backend::Instance instance_;
  std::array<backend::Event, events> events_;
};

}  // namespace haloheap::coherence::detail

#endif
