// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_DIRECTORY_HPP
#define HALOHEAP_CORE_COHERENCE_DIRECTORY_HPP

#include <haloheap/core/base/error.hpp>
#include <haloheap/core/coherence/protocol.hpp>
#include <haloheap/core/coherence/snapshot.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace haloheap::coherence::detail {

/// What a container is to the directory.
struct Shape {
  ElementIndex rows = 1, columns = 0;  ///< a vector has one row
  std::size_t element_bytes = 1;
  std::string label;
  bool vector = true;
};

/// A use of elements that is under way.
struct Use {
  Request request;
  CopyId copy = no_copy;     ///< whose memory is used
  std::uint64_t serial = 0;  ///< the copy's
};

/// Knows of every container which memory has the newest value of which element, and says what must be moved
/// before elements can be used. A state machine: it moves nothing and calls no device; who carries its plans
/// out does so completely and in order, or as their dependences allow. Not thread-safe.
class Directory {
 public:
  /// \throws UsageError for a policy that there is not
  Directory(MemoryTopology topology, std::string_view policy);
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  /// A new container; its elements are current on the host. \throws UsageError for a size that there cannot
  /// be
  ObjectId add(const Shape& shape);
  /// The container is gone, and with it what its copies hold. Uses that are under way are over: nothing
  /// happens when they are finished.
  const Plan& remove(ObjectId object);
  /// Another number of rows or columns, once device copies are released; what is in the main copy afterwards
  /// is the caller's. The plan has no steps, only what to wait for. \throws UsageError for a size that there
  /// cannot be, and while there are device copies
  const Plan& resize(ObjectId object, ElementIndex rows, ElementIndex columns);
  /// \throws UsageError for a size that there cannot be, and while a use is under way
  void require_resizable(ObjectId object, ElementIndex rows, ElementIndex columns) const;
  /// A use that is under way, in words; empty if there is none. Uses on the host are known only if checked.
  std::string use_under_way(ObjectId object) const;

  /// All that a use needs, reserve and update in one plan.
  Use acquire(const Request& request);
  /// First part: the copy, with room for it in its memory: least recently used copies of all containers are
  /// removed for it, modified ones after a write-back, never those in use. The copy is held until finish.
  /// \throws UsageError for elements or a memory that there are not, DeviceFull
  Use reserve(const Request& request);
  /// Instead of the second part when the memory could not be had all the same: removes one more copy, so
  /// that it can be tried again. \throws DeviceFull when there is none; then the use is over
  void relieve(const Use& use);
  /// Removes all device copies that no use holds, of all containers: a call that does not fit beside copies
  /// larger than its operands fits without them.
  const Plan& evict_unused();
  /// Second part: the copies of elements, and what the use has to wait for.
  void update(const Use& use);
  /// Instead of the second part: there is no use, only the copy.
  void cancel(const Use& use);
  /// Work that uses the elements stands in the memory's queue of kernels; later uses wait for it. For `host`:
  /// the use is over. @param places of other uses, after which nothing was put into their queues: one in the
  /// same queue is the place of this use, too
  Ticket finish(const Use& use, std::span<const Ticket> places = {});
  /// The copy of some elements stays where it is, current or not, until it is let go: for who uses it past
  /// this directory. The plan makes room for it. \throws as reserve, CapabilityError for policies whose
  /// copies do not last
  Use keep(const Request& request);
  void let_go(const Use& kept);
  /// Whatever uses of the copy stand in the memory's queue of kernels by now, and may write: later ones wait
  /// for them. The plan has no steps, only what the queue itself waits for before the place of the ticket. No
  /// ticket where the copy is gone.
  Ticket mark(const Use& kept);
  /// What is enqueued that uses the copy, to wait for.
  const Plan& uses_of(const Use& kept);
  bool current(const Use& kept) const;
  /// What the host has to wait for before it writes elements past this directory.
  const Plan& copies_of_host(ObjectId object);
  /// The plan of the last call. Stays as it is until the next one.
  const Plan& plan() const { return plan_; }

  /// The main copy becomes current, device copies stay.
  const Plan& update_host(ObjectId object);
  /// The main copy becomes current, device copies stay but hold nothing.
  const Plan& flush(ObjectId object);
  /// Device copies hold nothing; what was not on the host is lost.
  void invalidate(ObjectId object);
  /// The main copy becomes current, device copies go, but for those in use.
  const Plan& release_devices(ObjectId object);

  /// Work that is known to be done: nothing waits for it any more, as soon as each object forgets it.
  void done(const Ticket& ticket);
  /// And the object need not wait for another use to forget it.
  void forget_done(ObjectId object);

  /// Which elements are the newest where, for calls that are recorded now and made later, more than once.
  Snapshot snapshot() const { return Snapshot(state_); }
  bool is_at(const Snapshot& snapshot, const std::vector<bool>& objects) const {
    return snapshot.is_of(state_, objects);
  }
  void restore_copies(const Snapshot& snapshot);
  void restore_statistics(const Snapshot& snapshot) { snapshot.restore_statistics(state_); }
  void count_again(const Snapshot& from, const Snapshot& to, std::uint64_t times) {
    from.count_again(state_, to, times);
  }
  /// All that was enqueued is done, and no plan depends on it any more.
  void all_done();

  /// Detects uses that overlap one that is under way, if one of the two writes.
  void check_uses(bool wanted) { checked_ = wanted; }

  const Statistics& statistics() const { return state_.statistics; }
  const Statistics& statistics(ObjectId object) const { return state_.object(object).statistics; }
  void reset_statistics();
  const HostState& host_state(ObjectId object) const { return *state_.object(object).host_state; }
  const State& state() const { return state_; }
  const Protocol& protocol() const { return *protocol_; }

 private:
  void require(const Request& request) const;
  void require_unused(const Request& request) const;
  void require_room(const Request& request) const;
  void make_room(const Request& request);
  CopyId least_recently_used(Memory memory) const;
  void evict(CopyId copy);
  std::size_t held_bytes(Memory memory) const;
  [[noreturn]] void throw_full(const Request& request, std::size_t freeable) const;
  void remove_copies(ObjectId object);
  void publish(ObjectId object);
  void publish_if_changed(ObjectId object);
  Use hold(const Request& request);
  Use take_hold(const Request& request);
  void bring(const Use& use);
  bool over(const Use& use);
  void begin() { planner_.begin(); }

  State state_;
  const PolicyEntry& policy_;
  std::unique_ptr<Protocol> protocol_;
  Plan plan_;
  Planner planner_;
  std::vector<Use> under_way_;  ///< only if checked
  bool checked_ = false;
};

}  // namespace haloheap::coherence::detail

#endif
