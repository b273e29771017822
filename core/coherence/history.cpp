// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/history.hpp>

#include <algorithm>

namespace haloheap::coherence::detail {
namespace {

void add_latest(std::vector<Ticket>& tickets, std::size_t first, const Ticket& ticket) {
  for (std::size_t i = first; i < tickets.size(); ++i) {
    if (tickets[i].queue != ticket.queue) continue;
    if (tickets[i].number < ticket.number) tickets[i].number = ticket.number;
    return;
  }
  tickets.push_back(ticket);
}

}  // namespace

void History::collect(const Rect& rect, bool write, Queue queue, std::vector<Ticket>& tickets,
                      std::size_t first) const {
  for (const Use& use : uses_)
    if ((write || use.write) && use.ticket.queue != queue && overlap(use.rect, rect))
      add_latest(tickets, first, use.ticket);
}

void History::add(const Rect& rect, bool write, const Ticket& ticket) {
  // A write stands for all that it has waited for; a read for earlier reads of its queue.
  std::erase_if(uses_, [&](const Use& use) {
    if (!rect.contains(use.rect)) return false;
    return write || (!use.write && use.ticket.queue == ticket.queue);
  });
  uses_.push_back({rect, ticket, write});
}

bool History::only_reads() const {
  return std::none_of(uses_.begin(), uses_.end(), [](const Use& use) { return use.write; });
}

void History::forget(const Ticket& done) {
  std::erase_if(uses_, [&](const Use& use) {
    return use.ticket.queue == done.queue && use.ticket.number <= done.number;
  });
}

void History::forget(std::span<const std::uint64_t> passed) {
  std::erase_if(uses_, [&](const Use& use) {
    return use.ticket.number <= passed[static_cast<std::size_t>(use.ticket.queue)];
  });
}

}  // namespace haloheap::coherence::detail
