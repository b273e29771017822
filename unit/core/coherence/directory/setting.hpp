// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_SETTING_HPP
#define HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_SETTING_HPP

#include <haloheap/core/coherence/protocol.hpp>
#include <haloheap/core/coherence/topology.hpp>

#include <string>

namespace haloheap::coherence::test {

/// Which devices reach each other straight. A bug in one way through the protocol hides behind another that
/// comes first, so each kind of node has to be tried.
enum class Peers { none, all, one_way, ring };

/// The world in which operations are tried.
struct Setting {
  std::string policy = "region";
  Peers peers = Peers::none;
  int devices = 3;
  ElementIndex rows = 1, columns = 8;
  int objects = 2;
  std::size_t capacity = unlimited;  ///< bytes of each device
  bool deferred = false;             ///< work is done later, in any order that dependences allow
  unsigned seed = 0;                 ///< of that order
  std::size_t host_grain = 0;        ///< bytes that the host reads at once
  std::size_t max_pieces = 0;        ///< of a copy that the host writes into

  const PolicyEntry& entry() const { return policies().at(policy); }
};

MemoryTopology topology_of(const Setting& setting);

/// As C++, to be pasted into a test.
std::string to_code(const Setting& setting);

constexpr Memory device(int number) {
  return memory_of_device(number);
}

}  // namespace haloheap::coherence::test

#endif
