// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// In-kernel allocators in plain memory, for platforms of tests. Each is a class with
//   A<Platform>(bytes)   a new heap; handle(); name; Allocator, whose promises it must keep
//   tight                bytes of a heap with so little room that what is freed is used again at once
//   capacity(bytes)      how many blocks of this size a heap that is empty has, exactly; 0: that depends
//   sizes()              which sizes to try: among them some that share what they are cut from
//   large()              a size that needs much in one piece, so that others may be in its way
//   in_use()             as the statistics count it
//   has_room(bytes)      whether a lane that asks alone must be served, by the metadata, while nobody uses
//   the heap fault()              what is wrong with the metadata while nobody uses the heap; empty: nothing
#ifndef HALOHEAP_UNIT_ALLOCATORS_PLAIN_HEAPS_HPP
#define HALOHEAP_UNIT_ALLOCATORS_PLAIN_HEAPS_HPP

#include <haloheap/allocators/slab_walk/slab_layout.hpp>
#include <haloheap/allocators/slab_walk/slab_walk.hpp>
#include <haloheap/allocators/slab_walk/slab_walk_handle.hpp>

#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace haloheap::allocators {

/// Aligned bytes, which are used again and again: heaps are made for each of many thousand trials.
class PlainMemory {
 public:
  explicit PlainMemory(std::size_t bytes) : bytes_(bytes) {
    auto& spare = spare_[bytes];
    if (spare.empty()) spare.push_back(std::vector<Line>(bytes / sizeof(Line) + 1));
    lines_ = std::move(spare.back());
    spare.pop_back();
  }
  ~PlainMemory() { spare_[bytes_].push_back(std::move(lines_)); }
  PlainMemory(const PlainMemory&) = delete;
  PlainMemory& operator=(const PlainMemory&) = delete;
  std::size_t bytes() const { return bytes_; }
  std::byte* data() { return reinterpret_cast<std::byte*>(lines_.data()); }

 private:
  struct alignas(256) Line {
    std::byte bytes[256];
  };
  static inline thread_local std::map<std::size_t, std::vector<std::vector<Line>>> spare_;
  std::size_t bytes_;
  std::vector<Line> lines_;
};

template <class Platform>
class PlainSlabWalk {
 public:
  using Allocator = SlabWalk;
  using Handle = detail::SlabWalkHandle<Platform>;
  static constexpr const char* name = "slab_walk";
  static constexpr std::size_t tight = std::size_t{1} << 16;

  explicit PlainSlabWalk(std::size_t bytes)
      : layout_(bytes),
        pool_(std::size_t{layout_.slabs} << layout_.slab_shift),
        metadata_(layout_.bytes()),
        tables_(layout_.tables(pool_.data(), metadata_.data())) {
    std::memset(metadata_.data(), 0, layout_.bytes());
    for (unsigned number = 0; number < detail::start_count(tables_); ++number)
      detail::start_metadata(tables_, number);
  }

  Handle handle() const { return Handle(tables_); }
  const detail::SlabTables<Platform>& tables() const { return tables_; }
  std::byte* pool() const { return tables_.pool; }
  std::size_t bytes() const { return std::size_t{tables_.slabs} << tables_.slab_shift; }

  std::size_t capacity(std::size_t bytes) const {
    const std::size_t slab = tables_.slab_bytes();
    if (bytes > slab / 2) return tables_.slabs / ((bytes + slab - 1) / slab);
    return std::size_t{tables_.slabs} *
           tables_.sizes[detail::slab_classes::of(static_cast<std::uint32_t>(bytes))].slots;
  }
  std::vector<std::size_t> sizes() const { return {700, 1000, 3000, 3000, 9000, 32'768, 40'000}; }
  std::size_t large() const { return std::size_t{2} << tables_.slab_shift; }

  std::size_t in_use() const {
    std::size_t sum = 0;
    for (unsigned slab = 0; slab < tables_.slabs; ++slab) {
      const detail::SlabState::Word state = tables_.states[slab].word;
      const unsigned number = detail::SlabState::number(state);
      if (number == detail::SlabState::run_class)
        sum += tables_.slab_bytes();
      else if (number != detail::SlabState::no_class)
        sum += (tables_.sizes[number].slots - static_cast<std::size_t>(detail::SlabState::free(state))) *
               tables_.sizes[number].bytes;
    }
    return sum;
  }

  bool has_room(std::size_t bytes) const {
    const std::size_t slab_bytes = tables_.slab_bytes();
    const bool small = bytes <= slab_bytes / 2;
    const unsigned wanted =
        small ? detail::slab_classes::of(static_cast<std::uint32_t>(bytes)) : detail::SlabState::run_class;
    std::size_t in_a_row = 0;
    for (unsigned slab = 0; slab < tables_.slabs; ++slab) {
      if (small && number_of(slab) == wanted && detail::SlabState::free(tables_.states[slab].word) > 0)
        return true;
      in_a_row = is_unused(slab) ? in_a_row + 1 : 0;
      if (in_a_row * slab_bytes >= bytes) return true;
    }
    return false;
  }

  std::string fault() const;

 private:
  unsigned number_of(unsigned slab) const { return detail::SlabState::number(tables_.states[slab].word); }
  /// Anybody may have it.
  bool is_unused(unsigned slab) const {
    const unsigned number = number_of(slab);
    return number == detail::SlabState::no_class ||
           (number < tables_.class_count && detail::SlabState::free(tables_.states[slab].word) ==
                                                static_cast<int>(tables_.sizes[number].slots));
  }

  detail::SlabLayout<Platform> layout_;
  PlainMemory pool_, metadata_;
  detail::SlabTables<Platform> tables_;
};

template <class Platform>
std::string PlainSlabWalk<Platform>::fault() const {
  const auto text = [](unsigned slab, const char* what) {
    return "slab " + std::to_string(slab) + " " + what;
  };
  for (unsigned slab = 0; slab < tables_.slabs; ++slab) {
    const detail::SlabState::Word state = tables_.states[slab].word;
    const unsigned number = detail::SlabState::number(state);
    const bool nobody = number == detail::SlabState::no_class;
    if (tables_.shared->free.contains(slab) != nobody) return text(slab, "is free and not, at once");
    if (nobody && state != detail::SlabState::retired())
      return text(slab, "is nobody's with a wrong number of slots");
    if (nobody || number == detail::SlabState::run_class) continue;
    if (number >= tables_.class_count) return text(slab, "has a class that there is not");
    int used = 0;
    const int slots = static_cast<int>(tables_.sizes[number].slots), free = detail::SlabState::free(state);
    constexpr int word_slots = detail::SlabTables<Platform>::word_slots;
    for (int word = 0; word <= (slots - 1) / word_slots; ++word)
      used += lanes::bits::count(tables_.slab_words(slab)[word]);
    if (used != slots - free) return text(slab, "has lost slots");
    if (free > 0 && !tables_.classes[number].partial.contains(slab)) return text(slab, "cannot be found");
    if (free >= tables_.sizes[number].many() && !tables_.classes[number].roomy.contains(slab))
      return text(slab, "has much room and is not known for it");
    if (free == slots && !tables_.shared->empty.contains(slab))
      return text(slab, "is empty and not to be had");
  }
  return "";
}

}  // namespace haloheap::allocators

#endif
