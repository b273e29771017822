// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_TOPOLOGY_HPP
#define HALOHEAP_CORE_COHERENCE_TOPOLOGY_HPP

#include <haloheap/core/coherence/access.hpp>

#include <cstddef>
#include <limits>
#include <vector>

namespace haloheap::coherence {

inline constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// How bytes go from one memory straight to another.
struct Link {
  bool direct = false;      ///< false: only through the host
  double latency = 1e-5;    ///< seconds
  double bandwidth = 5e10;  ///< bytes a second

  double seconds(double bytes) const { return latency + bytes / bandwidth; }
};

/// The memories of a node and the links between them. The host reaches all devices, and they it.
class MemoryTopology {
 public:
  /// All devices with room for `capacity` bytes, and every pair with a direct link or none.
  MemoryTopology(int devices, bool peer, std::size_t capacity = unlimited)
      : devices_(devices),
        capacity_(static_cast<std::size_t>(devices) + 1, capacity),
        links_(capacity_.size() * capacity_.size()) {
    capacity_[host] = unlimited;
    for (Memory from = 0; from <= devices; ++from)
      for (Memory to = 0; to <= devices; ++to) {
        Link& link = this->link(from, to);
        link.direct = from == host || to == host || from == to || peer;
        if (from != host && to != host) link.bandwidth = from == to ? 2e12 : 2e11;
      }
  }

  int devices() const { return devices_; }
  int memories() const { return devices_ + 1; }

  Link& link(Memory from, Memory to) { return links_[place(from, to)]; }
  const Link& link(Memory from, Memory to) const { return links_[place(from, to)]; }

  /// Elements that the host reads one by one are brought by so many bytes at once, as far as they lie
  /// together (policy region). A copy of a few takes no longer.
  std::size_t host_grain = 0;

  /// A device copy that writes of the host leave current in more pieces than these is brought back as a whole
  /// when it is used again, as the policy `paper` does at the first of them (policy region); 0: never. Each
  /// piece is a copy of its own, and all of them are looked at by each write.
  std::size_t max_pieces = 0;

  std::size_t& capacity(Memory memory) { return capacity_[static_cast<std::size_t>(memory)]; }
  std::size_t capacity(Memory memory) const { return capacity_[static_cast<std::size_t>(memory)]; }

 private:
  std::size_t place(Memory from, Memory to) const {
    return static_cast<std::size_t>(from) * capacity_.size() + static_cast<std::size_t>(to);
  }

  int devices_;
  std::vector<std::size_t> capacity_;
  std::vector<Link> links_;
};

}  // namespace haloheap::coherence

#endif
