// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_STATE_HPP
#define HALOHEAP_CORE_COHERENCE_STATE_HPP

#include <haloheap/core/coherence/history.hpp>
#include <haloheap/core/coherence/region.hpp>
#include <haloheap/core/coherence/statistics.hpp>
#include <haloheap/core/coherence/topology.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace haloheap::coherence::detail {

/// A copy of an object, or of a part of it, in one memory. Its elements lie row after row without gaps.
/// The policies `paper` and `initial` keep one flag for all of it, the policy `region` a region.
struct Copy {
  ObjectId object = 0;
  Memory memory = host;
  Rect rect;
  bool live = false;        ///< false: the slot is free
  bool valid = false;       ///< its elements are the newest
  bool modified = false;    ///< and the main copy's need not be
  Region current;           ///< the elements that are the newest
  std::vector<Rect> asked;  ///< for by its uses, each once, and no more than a few (policy region)
  int pins = 0;             ///< uses that are under way: it must stay
  std::uint64_t last_used = 0;
  std::uint64_t serial = 0;  ///< no other copy ever had it, though slots are used again
  History history;
};

/// What accesses of single elements on the host may skip. Read without a lock.
struct HostState {
  std::atomic<bool> readable{true};  ///< every element is current on the host
  std::atomic<bool> writable{true};  ///< and nowhere else, and nothing is under way
  std::atomic<bool> ended{false};    ///< the context has ended, and with it the elements
};

/// A container as the directory knows it.
struct Object {
  Rect whole;
  std::size_t element_bytes = 1;
  bool vector = true;
  std::string label;
  CopyId main = no_copy;
  std::vector<CopyId> copies;  ///< in device memories, in the order in which they were made
  Statistics statistics;
  std::shared_ptr<HostState> host_state = std::make_shared<HostState>();  ///< the container has it, too

  std::size_t bytes(const Rect& rect) const {
    return static_cast<std::size_t>(rect.elements()) * element_bytes;
  }
};

/// Everything that a directory remembers.
struct State {
  explicit State(MemoryTopology links)
      : topology(std::move(links)),
        statistics(topology.memories()),
        used(static_cast<std::size_t>(topology.memories())),
        issued(static_cast<std::size_t>(topology.memories() * queues_of_memory)),
        passed(issued.size()) {}

  MemoryTopology topology;
  Statistics statistics;              ///< of all objects
  std::vector<std::size_t> used;      ///< bytes taken of each memory
  std::vector<std::uint64_t> issued;  ///< last number of each queue
  std::vector<std::uint64_t> passed;  ///< last number of each queue that is known to be done
  std::uint64_t clock = 0;            ///< logical: counts uses
  std::vector<Copy> copies;
  std::vector<CopyId> free;     ///< slots that can be taken
  std::vector<CopyId> retired;  ///< and those that the steps of the plan still speak of
  std::vector<std::unique_ptr<Object>> objects;

  Copy& copy(CopyId id) { return copies[static_cast<std::size_t>(id)]; }
  const Copy& copy(CopyId id) const { return copies[static_cast<std::size_t>(id)]; }
  Object& object(ObjectId id) { return *objects[static_cast<std::size_t>(id)]; }
  const Object& object(ObjectId id) const { return *objects[static_cast<std::size_t>(id)]; }
  Copy& main_of(ObjectId id) { return copy(object(id).main); }
  const Copy& main_of(ObjectId id) const { return copy(object(id).main); }

  Ticket next(Queue queue) { return {queue, ++issued[static_cast<std::size_t>(queue)]}; }
};

}  // namespace haloheap::coherence::detail

#endif
