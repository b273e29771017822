// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_ELEMENT_STORE_HPP
#define HALOHEAP_CORE_COHERENCE_ELEMENT_STORE_HPP

#include <haloheap/core/coherence/context.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <typeindex>

namespace haloheap::coherence::detail {

/// Where the elements of a use lie: the first, and the distance of rows in elements.
struct Grant {
  Use use;
  void* data = nullptr;
  ElementIndex pitch = 0;
};
struct Main {
  ObjectId object = -1;
  void* data = nullptr;
  ElementIndex room = 0;  ///< elements that its memory holds
  std::shared_ptr<const HostState> state = nullptr;
};

/// What containers and accesses ask of a context: the elements of all containers, in all memories.
class ElementStore {
 public:
  explicit ElementStore(Context& context) : context_(context), impl_(context.impl_.get()) {}

  /// \throws OutOfMemory, UsageError for a size that there cannot be
  Main add(const Shape& shape, std::shared_ptr<memory::MemoryResource> host_memory);
  /// @param keep whether the main copy becomes current first, for who has its memory
  void remove(ObjectId object, bool keep) noexcept;
  /// With memory on the host for `room` elements, which is taken anew unless a single row has just that
  /// already. The elements are current on the host then, and nowhere else. \throws as add, and UsageError
  /// while a use is under way: on a device always, on the host where uses are checked
  Main resize(ObjectId object, ElementIndex rows, ElementIndex columns, ElementIndex room);
  /// First half of a use: the memory. A call holds all that it uses before it brings any of it, so that one
  /// that cannot be made changes nothing. \throws UsageError, DeviceFull
  Use hold(const Request& request);
  /// Device memory that no use holds is given back.
  void evict_unused();
  /// Second half. Blocks only for the host; work for a device that is enqueued on exec() afterwards finds
  /// what it needs.
  Grant bring(const Use& use);
  /// Instead of the second half.
  void cancel(const Use& use) noexcept;
  void finish(const Use& use) noexcept { finish(std::span(&use, 1)); }
  /// Uses of one call, whose work is enqueued: all that stand in one queue share a place in it.
  void finish(std::span<const Use> uses) noexcept;
  /// Room on a device for elements that are going to be used in parts, which then need no copies of their
  /// own. Does nothing with policies that have a copy for each part in any case.
  void reserve_copy(const Request& request);
  /// The memory of a copy on a device for as long as it is kept: see Directory::keep. Each use of the
  /// elements waits for all that stands on exec() of the device when it begins, and what is enqueued there
  /// afterwards waits for the uses before it.
  Grant keep(const Request& request);
  void let_go(const Use& kept) noexcept;
  bool current(const Use& kept) const;
  bool host_current(ObjectId object) const;
  /// Until the elements are in the copy, and the host may write those of the main copy.
  void wait_for_copies(const Use& kept);
  void update_host(ObjectId object);
  void flush(ObjectId object);
  void invalidate(ObjectId object);
  void release_devices(ObjectId object);
  Statistics statistics(ObjectId object) const;
  /// Something that a call needs and does not make anew each time, by its type: what another has given back
  /// and nobody else has now; empty if there is none, and the caller makes one.
  std::shared_ptr<void> lend(std::type_index type);
  void give_back(std::type_index type, std::shared_ptr<void> thing) noexcept;

  /// What follows is for Repeated. From here on it is remembered what calls do.
  void watch();
  /// Why a graph cannot do what the calls since watch() did; empty: it can.
  std::string obstacle() const;
  bool memory_changed() const;
  /// Containers, by number.
  std::vector<bool> called() const;
  Snapshot snapshot() const;
  /// Whether of these containers the same elements are the newest in the same copies.
  bool is_at(const Snapshot& snapshot, const std::vector<bool>& objects) const;
  /// Waits for all work.
  void drain();
  /// Calls `calls`, whose work is enqueued as if all of it went to context.exec(0), and does not wait for it.
  void enqueue_as_one(const std::function<void()>& calls);
  /// The calls since `before` were recorded and not made: their elements are where they were.
  void take_back(const Snapshot& before, bool copies);
  /// Enqueues by `launch` on context.exec(0) what the calls from `before` to `after` enqueued, after all
  /// other work, and counts it so many times.
  void launch_recorded(const std::function<void()>& launch, const Snapshot& before, const Snapshot& after,
                       std::uint64_t times);

 private:
  Context& context_;
  Context::Impl* impl_;
};

[[noreturn]] void throw_ended(const std::string& label);
[[noreturn]] void throw_moved_from();

}  // namespace haloheap::coherence::detail

#endif
