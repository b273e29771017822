// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_ALLOCATORS_PART_RACE_HPP
#define HALOHEAP_UNIT_ALLOCATORS_PART_RACE_HPP

#include <haloheap/allocators/coalescing/header_chain.hpp>
#include <haloheap/allocators/coalescing/superblock_counter.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace haloheap::allocators {

constexpr unsigned race_parts = 4;

/// Parts of a superblock of which a counter knows how many are out.
template <class Platform>
struct CountedParts {
  static constexpr std::array<std::size_t, race_parts> places = {16, 32, 48, 64};
  static constexpr std::size_t bytes = 16;

  static void start(std::byte* superblock) { counter(superblock)->start(race_parts); }
  static std::byte* release(std::byte* superblock, unsigned /*part*/) {
    return counter(superblock)->release() ? superblock : nullptr;
  }

 private:
  static auto* counter(std::byte* superblock) {
    return reinterpret_cast<detail::SuperblockCounter<Platform>*>(superblock);
  }
};

/// Segments with headers of 8 bytes, or with headers of 2, 2, 4 and 2 bytes.
template <class Platform, bool small>
struct ChainedParts {
  using Chain = detail::HeaderChain<Platform>;
  static constexpr auto places = small ? std::array<std::size_t, race_parts>{10, 14, 20, 26}
                                       : std::array<std::size_t, race_parts>{8, 32, 56, 80};
  static constexpr std::size_t bytes = small ? 2 : 16;

  static void start(std::byte* superblock) {
    for (unsigned part = 0; part < race_parts; ++part)
      Chain::start(superblock + places[part], places[part] - (part == 0 ? 0 : places[part - 1]), part == 0,
                   part + 1 == race_parts);
  }
  static std::byte* release(std::byte* superblock, unsigned part) {
    return Chain::release(superblock + places[part]);
  }
};

/// Again and again a superblock is given back by threads that have a part each, write to it, and know of each
/// other through the protocol alone. Who gets the superblock must see what all have written, and may
/// overwrite everything.
template <class Parts>
class PartRace {
 public:
  /// How many superblocks were not given back once, whole, and after their last part.
  unsigned run(unsigned rounds) {
    std::vector<std::thread> all;
    for (unsigned part = 0; part < race_parts; ++part)
      all.emplace_back([this, part, rounds] {
        for (unsigned round = 1; round <= rounds; ++round) trade(part, round);
      });
    for (std::thread& thread : all) thread.join();
    return wrong_;
  }

 private:
  static constexpr std::byte stamp(unsigned part) { return static_cast<std::byte>(part + 1); }

  void trade(unsigned part, unsigned round) {
    if (part == 0) {
      got_ = 0;
      Parts::start(superblock_);
    }
    meet(started_, round);
    std::fill_n(superblock_ + Parts::places[part], Parts::bytes, stamp(part));
    if (std::byte* const superblock = Parts::release(superblock_, part)) {
      if (++got_ > 1 || superblock != superblock_ || !whole()) ++wrong_;
      std::fill_n(superblock_, sizeof(superblock_), std::byte{0});
    }
    meet(ended_, round);
    if (part == 0 && got_ == 0) ++wrong_;
  }

  /// Not std::barrier, nor one count for both meetings: who is late at one would be told by it what those
  /// have done who are at the next, and ThreadSanitizer would take that for the order that is looked for.
  static void meet(std::atomic<unsigned>& arrived, unsigned round) {
    ++arrived;
    while (arrived < round * race_parts) std::this_thread::yield();
  }

  bool whole() const {
    for (unsigned part = 0; part < race_parts; ++part) {
      const std::byte* const first = superblock_ + Parts::places[part];
      if (std::count(first, first + Parts::bytes, stamp(part)) != static_cast<std::ptrdiff_t>(Parts::bytes))
        return false;
    }
    return true;
  }

  alignas(16) std::byte superblock_[96];
  std::atomic<unsigned> started_ = 0, ended_ = 0, got_ = 0, wrong_ = 0;
};

}  // namespace haloheap::allocators

#endif
