// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks that threads have, written and looked at: for tests of in-kernel allocators.
#ifndef HALOHEAP_UNIT_ALLOCATORS_BLOCKS_HPP
#define HALOHEAP_UNIT_ALLOCATORS_BLOCKS_HPP

#include <haloheap/allocators/allocator_types.hpp>
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/lanes/bits.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace haloheap::allocators {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
constexpr bool on_host = backend::kernels_on_host;

/// A number of threads that fills a device, or keeps a host busy for a moment.
constexpr unsigned many = on_host ? 3001 : 200'003;

/// What each thread has: a block and how many bytes it asked for.
struct Block {
  unsigned char* data;
  std::size_t bytes;
};
using Blocks = Kokkos::View<Block*, Exec>;

KOKKOS_FUNCTION unsigned char stamp(unsigned thread, std::size_t byte) {
  return static_cast<unsigned char>(
      lanes::bits::mix(thread * 2654435761U + static_cast<unsigned>(byte / 16)) + byte);
}

/// From byte to byte in small blocks; in large ones, which one thread writes, from page to page and some.
KOKKOS_FUNCTION std::size_t next_byte(std::size_t byte, std::size_t bytes) {
  return bytes <= 65536 ? byte + 1 : (byte + 4093 < bytes || byte + 1 == bytes ? byte + 4093 : bytes - 1);
}

/// Bytes that thread `thread` asks for.
struct Sizes {
  std::size_t minimum, maximum;
  unsigned seed;
  KOKKOS_FUNCTION std::size_t operator()(unsigned thread) const {
    return minimum + lanes::bits::mix(thread ^ seed) % (maximum - minimum + 1);
  }
};

/// Counts blocks that are wrong, and blocks that are there.
struct Check {
  Blocks blocks;
  std::size_t alignment;
  KOKKOS_FUNCTION void operator()(unsigned i, unsigned& wrong, unsigned& there) const {
    const Block& block = blocks(i);
    if (block.data == nullptr) return;
    ++there;
    bool right = reinterpret_cast<std::uintptr_t>(block.data) % alignment == 0;
    for (std::size_t b = 0; b < block.bytes; b = next_byte(b, block.bytes))
      right = right && block.data[b] == stamp(i, b);
    if (!right) ++wrong;
  }
};

/// Thread i frees what thread `n - 1 - i` has, if that one's number modulo `every` is `which`.
template <class Handle>
struct Free {
  Handle heap;
  Blocks blocks;
  unsigned every = 1, which = 0;
  KOKKOS_FUNCTION void operator()(unsigned i) const {
    const unsigned other = static_cast<unsigned>(blocks.extent(0)) - 1 - i;
    if (other % every != which) return;
    heap.deallocate(blocks(other).data);
    blocks(other).data = nullptr;
  }
};

struct Names {
  template <class A>
  static std::string GetName(int) {
    return A::name;
  }
};

template <class List>
struct AsTypes;
template <class... A>
struct AsTypes<AllocatorTypes<A...>> {
  using type = ::testing::Types<A...>;
};

}  // namespace
}  // namespace haloheap::allocators

#endif
