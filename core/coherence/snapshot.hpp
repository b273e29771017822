// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_SNAPSHOT_HPP
#define HALOHEAP_CORE_COHERENCE_SNAPSHOT_HPP

#include <haloheap/core/coherence/state.hpp>

#include <cstdint>
#include <vector>

namespace haloheap::coherence::detail {

/// Which copies there are, which of their elements are the newest, and what was counted so far.
class Snapshot {
 public:
  explicit Snapshot(const State& state);

  /// Whether of these objects there are the same copies with the same newest elements.
  bool is_of(const State& state, const std::vector<bool>& objects) const;
  /// Makes those elements the newest again, where the same copies are there.
  void restore_copies(State& state) const;
  void restore_statistics(State& state) const;
  /// Counts so many times more what was counted from this one to `later`.
  void count_again(State& state, const Snapshot& later, std::uint64_t times) const;

 private:
  struct Part {
    std::uint64_t serial = 0;  ///< 0: no copy
    ObjectId object = -1;
    bool valid = false, modified = false;
    Region current;

    bool is_of(const Copy& copy) const;
  };
  std::vector<Part> copies_;
  Statistics all_;
  std::vector<Statistics> objects_;
};

}  // namespace haloheap::coherence::detail

#endif
