// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_PRECISE_MODEL_HPP
#define HALOHEAP_UNIT_CORE_COHERENCE_DIRECTORY_PRECISE_MODEL_HPP

#include <haloheap/core/coherence/topology.hpp>

#include <cstdint>
#include <vector>

namespace haloheap::coherence::test {

/// Knows of each element of a vector which memories have its newest value, and moves it when it is read where
/// it is not: no directory that waits for reads moves fewer bytes over links.
class PreciseModel {
 public:
  PreciseModel(const MemoryTopology& topology, ElementIndex elements);

  void use(Memory memory, Access access, const Rect& range);
  /// Elements that went over a link, each time.
  std::uint64_t moved() const { return moved_; }

 private:
  void bring(std::vector<bool>& memories, Memory memory);

  const MemoryTopology& topology_;
  std::vector<std::vector<bool>> newest_;  ///< by element and memory
  std::uint64_t moved_ = 0;
};

}  // namespace haloheap::coherence::test

#endif
