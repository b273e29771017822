// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CHECKED_BLOCK_GUARD_HPP
#define HALOHEAP_ALLOCATORS_CHECKED_BLOCK_GUARD_HPP

#include <haloheap/allocators/call_site.hpp>

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <cstdint>

namespace haloheap::allocators::detail {

/// What stands around a block, and what free memory is full of. All of it is written and read by atomic
/// operations, so that no cache holds what was there before.
///
///   front bytes     the number of bytes asked for and the line that asked, its file and function, the
///                   offset, their seal, and seals as far as there is room
///   the block
///   16 to 31 bytes  a pattern, from the block's last byte on
template <class Platform>
class BlockGuard {
  using Atomics = typename Platform::Atomics;
  using Word = std::uint64_t;

 public:
  static constexpr std::size_t min_front = 48, min_back = 16;
  static constexpr Word poison = 0xdbdbdbdbdbdbdbdbULL;

  KOKKOS_FUNCTION BlockGuard(std::byte* block, std::size_t front) : block_(block), front_(front) {}

  /// Bytes with both guards.
  KOKKOS_FUNCTION static std::size_t total(std::size_t bytes, std::size_t front) {
    return front + (bytes + 15) / 16 * 16 + min_back;
  }

  /// @param offset see offset()
  KOKKOS_FUNCTION void write(std::size_t bytes, std::size_t offset, const CallSite& site) const {
    Word* const words = front_words();
    const Word content[content_words] = {bytes | Word{site.line} << bytes_bits,
                                         reinterpret_cast<std::uintptr_t>(site.file),
                                         reinterpret_cast<std::uintptr_t>(site.function), Word{offset}};
    for (std::size_t i = 0; i < content_words; ++i) Atomics::store(&words[i], content[i]);
    for (std::size_t i = content_words; i < front_ / sizeof(Word); ++i)
      Atomics::store(&words[i], seal(content));
    for_back(bytes, [](unsigned char* at, unsigned char pattern) { Atomics::store(at, pattern); });
  }

  /// Only what is_sealed() can be believed.
  KOKKOS_FUNCTION std::size_t bytes() const {
    return Atomics::load(front_words()) & ((Word{1} << bytes_bits) - 1);
  }
  /// Bytes from the beginning of the allocator's own block to this one.
  KOKKOS_FUNCTION std::size_t offset() const { return Atomics::load(&front_words()[3]); }
  /// Who asked for the block.
  KOKKOS_FUNCTION CallSite site() const {
    const Word* const words = front_words();
    return {reinterpret_cast<const char*>(Atomics::load(&words[1])),
            reinterpret_cast<const char*>(Atomics::load(&words[2])),
            static_cast<unsigned>(Atomics::load(&words[0]) >> bytes_bits)};
  }

  KOKKOS_FUNCTION bool is_sealed() const {
    const Word* const words = front_words();
    Word content[content_words];
    for (std::size_t i = 0; i < content_words; ++i) content[i] = Atomics::load(&words[i]);
    const Word right = seal(content);
    bool sealed = true;
    for (std::size_t i = content_words; i < front_ / sizeof(Word); ++i)
      sealed = sealed && Atomics::load(&words[i]) == right;
    return sealed;
  }

  KOKKOS_FUNCTION bool back_is_whole(std::size_t bytes) const {
    bool whole = true;
    for_back(bytes, [&whole](unsigned char* at, unsigned char pattern) {
      whole = whole && Atomics::load(at) == pattern;
    });
    return whole;
  }

  /// The block and its guards.
  KOKKOS_FUNCTION void fill_with_poison(std::size_t bytes) const {
    Word* const words = front_words();
    for (std::size_t i = 0; i < total(bytes, front_) / sizeof(Word); ++i) Atomics::store(&words[i], poison);
  }

  KOKKOS_FUNCTION static bool is_poisoned(const std::byte* granule) {
    const auto* const words = reinterpret_cast<const Word*>(granule);
    return Atomics::load(&words[0]) == poison && Atomics::load(&words[1]) == poison;
  }

 private:
  static constexpr std::size_t content_words = 4;
  static constexpr unsigned bytes_bits = 40;  // of a block; the rest of a word is for lines

  KOKKOS_FUNCTION Word* front_words() const { return reinterpret_cast<Word*>(block_ - front_); }

  /// Another one for each block: a copied front does not pass.
  KOKKOS_FUNCTION Word seal(const Word (&content)[content_words]) const {
    Word mixed = reinterpret_cast<std::uintptr_t>(block_);
    for (const Word word : content) mixed = (mixed ^ word) * 0x9e3779b97f4a7c15ULL;
    return mixed + 0x5ea1ed5ea1ed5ea1ULL;
  }

  template <class Visit>
  KOKKOS_FUNCTION void for_back(std::size_t bytes, const Visit& visit) const {
    const std::size_t end = total(bytes, front_) - front_;
    for (std::size_t i = bytes; i < end; ++i)
      visit(reinterpret_cast<unsigned char*>(block_ + i), static_cast<unsigned char>(0xa5 ^ i));
  }

  std::byte* block_;
  std::size_t front_;
};

}  // namespace haloheap::allocators::detail

#endif
