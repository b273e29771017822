// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_HISTORY_HPP
#define HALOHEAP_CORE_COHERENCE_HISTORY_HPP

#include <haloheap/core/coherence/plan.hpp>

#include <vector>

namespace haloheap::coherence::detail {

/// Which work still uses which elements of a copy: what a new use has to wait for (read after write, write
/// after read, write after write), by elements and not by whole copies.
class History {
 public:
  /// Appends to `tickets` what a use of `rect` from `queue` has to wait for: of each other queue the latest.
  /// `first`: where the list of this use begins.
  void collect(const Rect& rect, bool write, Queue queue, std::vector<Ticket>& tickets,
               std::size_t first) const;

  /// From now on others wait for this use of `rect`. What it has waited for itself is forgotten.
  void add(const Rect& rect, bool write, const Ticket& ticket);

  /// The work up to this place of its queue is done.
  void forget(const Ticket& done);
  /// The same of all queues: `passed[queue]` is the last number that is known to be done.
  void forget(std::span<const std::uint64_t> passed);
  void clear() { uses_.clear(); }
  bool empty() const { return uses_.empty(); }
  /// Whether only reads are under way.
  bool only_reads() const;

 private:
  struct Use {
    Rect rect;
    Ticket ticket;
    bool write;
  };
  std::vector<Use> uses_;
};

}  // namespace haloheap::coherence::detail

#endif
