// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The heaps of allocators/coalescing that any lane may call, over slab_walk, in plain memory; see
// plain_heaps.hpp.
#ifndef HALOHEAP_UNIT_ALLOCATORS_PLAIN_COALESCING_HEAPS_HPP
#define HALOHEAP_UNIT_ALLOCATORS_PLAIN_COALESCING_HEAPS_HPP

#include <haloheap/allocators/coalescing/warp_header.hpp>
#include <haloheap/allocators/coalescing/warp_table.hpp>
#include <haloheap/unit/allocators/plain_heaps.hpp>

#include <algorithm>

namespace haloheap::allocators {

/// How many blocks there are depends on which lanes meet.
template <class Platform>
class PlainCoalescing {
 public:
  static constexpr std::size_t tight = PlainSlabWalk<Platform>::tight;
  explicit PlainCoalescing(std::size_t bytes) : under_(bytes) {}

  std::byte* pool() const { return under_.pool(); }
  std::size_t bytes() const { return under_.bytes(); }
  std::size_t capacity(std::size_t) const { return 0; }
  std::size_t large() const { return 40'000; }
  std::size_t in_use() const { return under_.in_use(); }
  /// Not known below 16 bytes, which have 16 bytes or fewer of the superblock in front of them.
  bool has_room(std::size_t bytes) const { return bytes >= 16 && under_.has_room(16 + bytes); }
  std::string fault() const { return under_.fault(); }

 protected:
  using Under = typename PlainSlabWalk<Platform>::Handle;
  detail::Superblocks<Platform, Under> superblocks() const {
    return {under_.handle(), &failures_, under_.bytes() - detail::superblocks::front};
  }

 private:
  PlainSlabWalk<Platform> under_;
  mutable std::uint64_t failures_ = 0;
};

template <class Platform>
class PlainWarpHeader : public PlainCoalescing<Platform> {
 public:
  using Allocator = WarpHeader;
  using Handle = detail::WarpHeaderHandle<Platform, typename PlainCoalescing<Platform>::Under>;
  static constexpr const char* name = "warp_header";
  using PlainCoalescing<Platform>::PlainCoalescing;

  Handle handle() const { return {this->superblocks(), 16}; }
  /// With headers of 2, 4 and 8 bytes.
  std::vector<std::size_t> sizes() const { return {1, 2, 3, 4, 7, 12, 16, 100, 700}; }
};

template <class Platform>
class PlainWarpTable : public PlainCoalescing<Platform> {
  using Base = PlainCoalescing<Platform>;

 public:
  using Allocator = WarpTable;
  using Handle = detail::WarpTableHandle<Platform, typename Base::Under>;
  static constexpr const char* name = "warp_table";
  explicit PlainWarpTable(std::size_t bytes) : Base(bytes), words_(1024) {}

  Handle handle() const {
    return Handle({this->superblocks(), {words_.data(), static_cast<std::uint32_t>(words_.size())}});
  }
  std::vector<std::size_t> sizes() const { return {1, 16, 30, 100, 700}; }
  /// In a table that is half empty every part finds a place.
  bool has_room(std::size_t bytes) const {
    const auto parts = std::count_if(words_.begin(), words_.end(), [](auto word) { return word != 0; });
    return 2 * static_cast<std::size_t>(parts) <= words_.size() && Base::has_room(bytes);
  }
  std::string fault() const {
    const bool empty = std::all_of(words_.begin(), words_.end(), [](auto word) { return word == 0; });
    if (empty != (this->in_use() == 0)) return "the table and the superblocks do not agree";
    return Base::fault();
  }

 private:
  mutable std::vector<std::uint64_t> words_;
};

}  // namespace haloheap::allocators

#endif
