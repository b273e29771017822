// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_ALLOCATORS_PLAIN_BUMP_HPP
#define HALOHEAP_UNIT_ALLOCATORS_PLAIN_BUMP_HPP

#include <haloheap/allocators/bump/bump.hpp>
#include <haloheap/unit/allocators/plain_heaps.hpp>

namespace haloheap::allocators {

/// allocators/bump in plain memory; see plain_heaps.hpp.
template <class Platform>
class PlainBump {
 public:
  using Allocator = Bump;
  using Handle = BumpHandle<Platform>;
  static constexpr const char* name = "bump";
  static constexpr std::size_t tight = 8192;

  explicit PlainBump(std::size_t bytes) : memory_(bytes) {}

  Handle handle() const { return {memory_.data(), memory_.bytes(), &metadata_}; }
  std::byte* pool() const { return memory_.data(); }
  std::size_t bytes() const { return memory_.bytes(); }
  std::size_t capacity(std::size_t bytes) const { return memory_.bytes() / ((bytes + 15) / 16 * 16); }
  std::vector<std::size_t> sizes() const { return {16, 100, 1000, 3000}; }
  std::size_t large() const { return memory_.bytes() / 4; }
  std::size_t in_use() const { return metadata_.used; }
  bool has_room(std::size_t bytes) const {
    return metadata_.used + (bytes + 15) / 16 * 16 <= memory_.bytes();
  }
  std::string fault() const {
    return metadata_.failures == 0 && metadata_.used > memory_.bytes() ? "more is in use than there is" : "";
  }

 private:
  mutable PlainMemory memory_;
  mutable typename Handle::Metadata metadata_{0, 0};
};

}  // namespace haloheap::allocators

#endif
