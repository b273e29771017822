// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_STATISTICS_HPP
#define HALOHEAP_CORE_COHERENCE_STATISTICS_HPP

#include <haloheap/core/coherence/access.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace haloheap::coherence {

/// A number of things and their bytes.
struct Amount {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;

  void add(std::uint64_t more_bytes) {
    ++count;
    bytes += more_bytes;
  }
  void subtract(std::uint64_t fewer_bytes) {
    --count;
    bytes -= fewer_bytes;
  }
  /// So many times what `after` has more than `before`.
  void add_difference(const Amount& before, const Amount& after, std::uint64_t times) {
    count += times * (after.count - before.count);
    bytes += times * (after.bytes - before.bytes);
  }
  friend bool operator==(const Amount&, const Amount&) = default;
};

/// What has been moved and taken, from each memory to each. The sums are the columns of Table 1 of
/// [Dastgeer2016].
struct Statistics {
  explicit Statistics(int number = 1)
      : memories(number), moved(static_cast<std::size_t>(number) * static_cast<std::size_t>(number)) {}

  int memories;
  std::vector<Amount> moved;  ///< [from * memories + to]
  Amount allocations;         ///< of device memory
  Amount evictions;           ///< device copies that made room for others
  std::uint64_t hits = 0;     ///< uses for which nothing had to be moved
  std::uint64_t misses = 0;

  Amount& between(Memory from, Memory to) { return moved[place(from, to)]; }
  const Amount& between(Memory from, Memory to) const { return moved[place(from, to)]; }

  std::uint64_t to_devices() const;       ///< bytes from the host (HTD)
  std::uint64_t to_host() const;          ///< bytes to the host (DTH)
  std::uint64_t within_devices() const;   ///< bytes from a copy to another of the same device (DTD)
  std::uint64_t between_devices() const;  ///< bytes from one device straight to another (peer)
  /// Bytes over links: all but those within a device.
  std::uint64_t over_links() const { return to_devices() + to_host() + between_devices(); }

  /// So many times what `after` has more than `before`.
  void add_difference(const Statistics& before, const Statistics& after, std::uint64_t times);

 private:
  std::size_t place(Memory from, Memory to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(memories) + static_cast<std::size_t>(to);
  }
};

}  // namespace haloheap::coherence

#endif
