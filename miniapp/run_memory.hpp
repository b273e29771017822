// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_RUN_MEMORY_HPP
#define HALOHEAP_MINIAPP_RUN_MEMORY_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/core/memory/adaptors/statistics.hpp>
#include <haloheap/miniapp/deck/deck.hpp>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace haloheap {

/// Memory resources of one run, with the adaptors that the deck asks for: memory.limit,
/// memory.fail_allocation, and statistics in any case.
class RunMemory {
 public:
  explicit RunMemory(const deck::Deck& deck) : deck_(deck) {}

  /// A new one; if it is an arena, its size is memory.arena, or else what is needed and some more.
  /// @param needed bytes that will be taken of it
  /// @throws CapabilityError if this machine has no such memory, UsageError if kernels cannot reach it,
  /// OutOfMemory if there is no room for the arena
  std::shared_ptr<memory::MemoryResource> resource(const std::string& key, std::size_t needed = 0);

  /// The one of that name, whatever kernels can reach. @throws CapabilityError, OutOfMemory as above
  std::shared_ptr<memory::MemoryResource> named(const std::string& name);

  /// As named, but the same one at each call, so that its limit holds for all that is taken of it.
  std::shared_ptr<memory::MemoryResource> shared(const std::string& name);

  /// Sum of the peaks of all resources given out.
  std::size_t peak_bytes() const;

 private:
  std::shared_ptr<memory::MemoryResource> adapted(std::shared_ptr<memory::MemoryResource> made);

  deck::Deck deck_;
  std::vector<std::shared_ptr<memory::StatisticsResource>> given_;
  std::map<std::string, std::shared_ptr<memory::MemoryResource>> shared_;
};

struct MemoryDemand {
  std::string resource;  ///< name in the deck
  std::size_t bytes;     ///< of this rank
};

/// What RunMemory's resource takes of the machine: an arena takes more than what is needed of it.
MemoryDemand memory_demand(const deck::Deck& deck, const std::string& key, std::size_t needed);

/// Checks, before anything is allocated, that the demands of all ranks that share a device or a host fit into
/// what is free there. Collective.
/// @throws OutOfMemory on the ranks of a machine that has too little
void check_memory(const comm::Communicator& communicator, const std::vector<MemoryDemand>& demands);

}  // namespace haloheap

#endif
