// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_KERNELS_BLOCK_KERNELS_HPP
#define HALOHEAP_COMM_KERNELS_BLOCK_KERNELS_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/backend/lanes.hpp>
#include <haloheap/backend/pragma.hpp>
#include <haloheap/comm/kernels/block_copies.hpp>

#include <cstdint>

namespace haloheap::comm::detail {

using backend::kernels_on_host;

// An item is what moves at a time: the widest load of a device where a block allows it, or one value. The
// lanes of a tile copy neighbouring items, each `items_in_flight`: all loads of a lane are under way before
// the first is stored. A thread of a host copies a row, which the compiler turns into wide loads: there a
// tile is a row and has one lane.
inline constexpr std::size_t item_bytes = 16;
inline constexpr unsigned items_in_flight = 4;
inline constexpr unsigned tile_lanes = backend::warp_size;
inline constexpr int blocks_in_kernel = 16;

/// Division by a number that is known beforehand, for dividends below 2^31: a multiplication and a shift
/// instead of the twenty instructions that a GPU takes for a division ([Granlund1994]).
class Divisor {
 public:
  Divisor() = default;
  explicit Divisor(unsigned value) : value_(value) {
    while ((std::uint64_t{1} << bits_) < value) ++bits_;
    multiplier_ = static_cast<std::uint32_t>((std::uint64_t{1} << (31 + bits_)) / value + 1);
  }

  KOKKOS_FUNCTION unsigned value() const { return value_; }
  KOKKOS_FUNCTION unsigned divide(unsigned n) const {
    return static_cast<unsigned>((std::uint64_t{n} * multiplier_) >> (31 + bits_));
  }

 private:
  std::uint32_t value_ = 1, multiplier_ = 1;
  unsigned bits_ = 0;
};

/// A block as kernels see it. Rows have nx items of `width` values; planes counts those of all quantities.
struct KernelBlock {
  BlockPlace from, to;
  Divisor nx, ny, nz;
  unsigned items = 0, planes = 0, width = 1;
  int ready_channel = BlockCopy::no_channel, arrived_channel = BlockCopy::no_channel;
};

/// Few blocks are passed with the kernel: loads from memory that the sweeps have driven out of all caches
/// would keep it waiting before it can ask for the first value.
struct BlocksInKernel {
  int count = 0;
  grid::Index first_tiles[blocks_in_kernel] = {};
  KernelBlock blocks[blocks_in_kernel] = {};
};

struct BlocksInMemory {
  int count = 0;
  const grid::Index* first_tiles = nullptr;
  const KernelBlock* blocks = nullptr;
};

template <class T, unsigned Width, std::size_t Alignment>
struct alignas(Alignment) Item {
  T value[Width];
};

/// Copies tiles of blocks.
template <class T, class Blocks>
struct TileCopier {
  static constexpr unsigned widest = item_bytes / sizeof(T);

  Blocks blocks;
  const BlockArray<T>* arrays;

  KOKKOS_FORCEINLINE_FUNCTION int block_of(grid::Index tile) const {
    int low = 0, high = blocks.count - 1;
    while (low < high) {
      const int middle = (low + high + 1) / 2;
      if (blocks.first_tiles[middle] <= tile)
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  }

  KOKKOS_FORCEINLINE_FUNCTION void copy(int which, grid::Index tile, unsigned lane) const {
    const KernelBlock& block = blocks.blocks[which];
    const auto local = static_cast<unsigned>(tile - blocks.first_tiles[which]);
    const T* const from = arrays[block.from.array].data;
    T* const to = arrays[block.to.array].data;
    if constexpr (kernels_on_host) {
      const Offsets offsets(block, local, 0);
      copy_row(from + offsets.from, to + offsets.to, block.nx.value() * block.width);
    } else {
      const unsigned first = local * tile_lanes * items_in_flight + lane;
      // Whether the block starts on item_bytes depends on the arrays too.
      if (block.width == 1)
        copy_items<Item<T, 1, sizeof(T)>>(block, from, to, first);
      else if ((reinterpret_cast<std::uintptr_t>(from) | reinterpret_cast<std::uintptr_t>(to)) % item_bytes)
        copy_items<Item<T, widest, sizeof(T)>>(block, from, to, first);
      else
        copy_items<Item<T, widest, item_bytes>>(block, from, to, first);
    }
  }

 private:
  struct Offsets {
    grid::Index from, to;

    KOKKOS_FORCEINLINE_FUNCTION Offsets(const KernelBlock& block, unsigned row, unsigned x) {
      if (block.planes == 1) {
        from = at(block.from, x, row);
        to = at(block.to, x, row);
        return;
      }
      const unsigned plane = block.ny.divide(row), y = row - plane * block.ny.value();
      const unsigned quantity = block.nz.divide(plane), z = plane - quantity * block.nz.value();
      from = at(block.from, x, y) + z * block.from.plane + quantity * block.from.quantity;
      to = at(block.to, x, y) + z * block.to.plane + quantity * block.to.quantity;
    }

    KOKKOS_FORCEINLINE_FUNCTION static grid::Index at(const BlockPlace& place, unsigned x, unsigned y) {
      return place.first + x + y * place.row;
    }
  };

  template <class Item>
  KOKKOS_FORCEINLINE_FUNCTION static void copy_items(const KernelBlock& block, const T* from, T* to,
                                                     unsigned first) {
    constexpr auto width = static_cast<unsigned>(sizeof(Item) / sizeof(T));
    Item values[items_in_flight];
    T* places[items_in_flight];
    HALOHEAP_UNROLL
    for (unsigned i = 0; i < items_in_flight; ++i) {
      // Lanes past the end load the last item too: a branch would keep the others waiting.
      const unsigned item = Kokkos::min(first + i * tile_lanes, block.items - 1), row = block.nx.divide(item);
      const Offsets offsets(block, row, (item - row * block.nx.value()) * width);
      values[i] = *reinterpret_cast<const Item*>(from + offsets.from);
      places[i] = to + offsets.to;
    }
    HALOHEAP_UNROLL
    for (unsigned i = 0; i < items_in_flight; ++i)
      if (first + i * tile_lanes < block.items) *reinterpret_cast<Item*>(places[i]) = values[i];
  }

  KOKKOS_FUNCTION static void copy_row(const T* KOKKOS_RESTRICT from, T* KOKKOS_RESTRICT to, unsigned n) {
    for (unsigned x = 0; x < n; ++x) to[x] = from[x];
  }
};

}  // namespace haloheap::comm::detail

#endif
