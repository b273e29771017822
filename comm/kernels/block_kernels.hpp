// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_KERNELS_BLOCK_KERNELS_HPP
#define HALOHEAP_COMM_KERNELS_BLOCK_KERNELS_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/backend/lanes.hpp>
#include <haloheap/backend/pragma.hpp>
#include <haloheap/comm/kernels/block_copies.hpp>

#include <cstdint>
#include <cstring>

namespace haloheap::comm::detail {

using backend::kernels_on_host;

// A unit is what moves at a time: the widest load of a device where a block allows it, or less. The lanes of
// a tile copy neighbouring units, each `units_in_flight`: all loads of a lane are under way before the first
// is stored. A thread of a host copies run after run: there a tile is more units and has one lane.
inline constexpr int widest_unit = 16;
inline constexpr unsigned units_in_flight = 4;
inline constexpr unsigned tile_lanes = backend::warp_size;
inline constexpr unsigned host_tile_bytes = 16384;
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

/// Where a block's bytes stand, as kernels see it.
struct KernelPlace {
  int array = 0;
  grid::Index first = 0;
  grid::Index stride[3] = {};
};

/// A block as kernels see it. Runs have nx units; planes counts what lies side by side in the two slower
/// dimensions together.
struct KernelBlock {
  KernelPlace from, to;
  Divisor nx, ny, nz;
  unsigned units = 0, planes = 0, unit = 1;
  int ready_channel = BlockCopy::no_channel, arrived_channel = BlockCopy::no_channel;
};

/// @param unit bytes of which the block's runs are whole numbers
/// @throws UsageError if it has 2^31 units or more
KernelBlock make_kernel_block(const BlockCopy& block, int unit);

/// Where in its arrays the byte `x` of a run of a block stands.
struct BlockOffsets {
  grid::Index from, to;

  KOKKOS_FORCEINLINE_FUNCTION BlockOffsets(const KernelBlock& block, unsigned run, grid::Index x) {
    if (block.planes == 1) {
      from = block.from.first + x + run * block.from.stride[0];
      to = block.to.first + x + run * block.to.stride[0];
      return;
    }
    const unsigned plane = block.ny.divide(run), y = run - plane * block.ny.value();
    const unsigned outer = block.nz.divide(plane), z = plane - outer * block.nz.value();
    from = at(block.from, x, y, z, outer);
    to = at(block.to, x, y, z, outer);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static grid::Index at(const KernelPlace& place, grid::Index x, unsigned y,
                                                    unsigned z, unsigned outer) {
    return place.first + x + y * place.stride[0] + z * place.stride[1] + outer * place.stride[2];
  }
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

/// What is loaded and stored as a whole.
template <unsigned Bytes>
struct UnitOf;
template <>
struct UnitOf<1> {
  using type = std::uint8_t;
};
template <>
struct UnitOf<2> {
  using type = std::uint16_t;
};
template <>
struct UnitOf<4> {
  using type = std::uint32_t;
};
template <>
struct UnitOf<8> {
  using type = std::uint64_t;
};
template <>
struct UnitOf<16> {
  struct alignas(16) Parts {
    std::uint32_t part[4];
  };
  using type = Parts;
};

/// Calls visit.template operator()<Bytes>() with the size of a block's units.
template <class Visit>
KOKKOS_FORCEINLINE_FUNCTION void with_unit(unsigned unit, const Visit& visit) {
  if (unit == 16)
    visit.template operator()<16>();
  else if (unit == 8)
    visit.template operator()<8>();
  else if (unit == 4)
    visit.template operator()<4>();
  else if (unit == 2)
    visit.template operator()<2>();
  else
    visit.template operator()<1>();
}

/// The last of `count` blocks that starts at or before `at`. @param starts ascending, the first at or before
template <class Starts>
KOKKOS_FORCEINLINE_FUNCTION int block_at(const Starts& starts, int count, grid::Index at) {
  int low = 0, high = count - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (starts[middle] <= at)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/// Copies tiles of blocks.
template <class Blocks>
struct TileCopier {
  Blocks blocks;
  const BlockArray* arrays;

  KOKKOS_FORCEINLINE_FUNCTION int block_of(grid::Index tile) const {
    return block_at(blocks.first_tiles, blocks.count, tile);
  }

  KOKKOS_FORCEINLINE_FUNCTION void copy(int which, grid::Index tile, unsigned lane) const {
    const KernelBlock& block = blocks.blocks[which];
    const auto local = static_cast<unsigned>(tile - blocks.first_tiles[which]);
    const std::byte* const from = arrays[block.from.array].data;
    std::byte* const to = arrays[block.to.array].data;
    if constexpr (kernels_on_host) {
      const unsigned tile_units = host_tile_bytes / block.unit, first = local * tile_units;
      with_unit(block.unit, [&]<unsigned Bytes>() {
        copy_range<Bytes>(block, from, to, first, first + Kokkos::min(tile_units, block.units - first));
      });
    } else {
      const unsigned first = local * tile_lanes * units_in_flight + lane;
      with_unit(block.unit, [&]<unsigned Bytes>() { copy_units<Bytes>(block, from, to, first); });
    }
  }

 private:
  template <unsigned Bytes>
  KOKKOS_FORCEINLINE_FUNCTION static void copy_units(const KernelBlock& block, const std::byte* from,
                                                     std::byte* to, unsigned first) {
    using Unit = typename UnitOf<Bytes>::type;
    Unit values[units_in_flight];
    std::byte* places[units_in_flight];
    HALOHEAP_UNROLL
    for (unsigned i = 0; i < units_in_flight; ++i) {
      // Lanes past the end load the last unit too: a branch would keep the others waiting.
      const unsigned unit = Kokkos::min(first + i * tile_lanes, block.units - 1), run = block.nx.divide(unit);
      const BlockOffsets offsets(block, run, grid::Index{unit - run * block.nx.value()} * Bytes);
      values[i] = *reinterpret_cast<const Unit*>(from + offsets.from);
      places[i] = to + offsets.to;
    }
    HALOHEAP_UNROLL
    for (unsigned i = 0; i < units_in_flight; ++i)
      if (first + i * tile_lanes < block.units) *reinterpret_cast<Unit*>(places[i]) = values[i];
  }

  /// Units [first, end): whole runs of a plane together, so that there is little to divide.
  template <unsigned Bytes>
  KOKKOS_FUNCTION static void copy_range(const KernelBlock& block, const std::byte* from, std::byte* to,
                                         unsigned first, unsigned end) {
    const unsigned nx = block.nx.value(), ny = block.ny.value();
    for (unsigned unit = first; unit < end;) {
      const unsigned run = block.nx.divide(unit), x = unit - run * nx;
      const unsigned together = x > 0 ? 0 : Kokkos::min((end - unit) / nx, ny - run % ny);
      const unsigned n = together > 0 ? nx : Kokkos::min(end - unit, nx - x);
      const BlockOffsets offsets(block, run, grid::Index{x} * Bytes);
      copy_rows<Bytes>({from + offsets.from, block.from.stride[0]}, {to + offsets.to, block.to.stride[0]}, n,
                       Kokkos::max(together, 1U));
      unit += Kokkos::max(together, 1U) * n;
    }
  }

  template <class Byte>
  struct Rows {
    Byte* first;
    grid::Index stride;
  };

  /// Short runs are columns of a halo: a call for each would take longer than its copy.
  template <unsigned Bytes>
  KOKKOS_FUNCTION static void copy_rows(Rows<const std::byte> from, Rows<std::byte> to, unsigned units,
                                        unsigned rows) {
    if (units == 1)
      copy_short<Bytes>(from, to, rows);
    else if (units == 2)
      copy_short<2 * Bytes>(from, to, rows);
    else if (units == 3)
      copy_short<3 * Bytes>(from, to, rows);
    else if (units == 4)
      copy_short<4 * Bytes>(from, to, rows);
    else
      for (; rows > 0; --rows, from.first += from.stride, to.first += to.stride)
        std::memcpy(to.first, from.first, std::size_t{units} * Bytes);
  }

  /// Rows that lie a multiple of 4 KiB apart share few lines of a cache, and stores that miss there hold each
  /// other up where one comes right after the other: some that hit in between make such columns twice as
  /// fast.
  template <std::size_t Bytes>
  KOKKOS_FUNCTION static void copy_short(Rows<const std::byte> from, Rows<std::byte> to, unsigned rows) {
    constexpr grid::Index page = 4096;
    if (from.stride % page != 0 && to.stride % page != 0) {
      for (; rows > 0; --rows, from.first += from.stride, to.first += to.stride)
        std::memcpy(to.first, from.first, Bytes);
      return;
    }
    volatile unsigned between[12];
    for (; rows > 0; --rows, from.first += from.stride, to.first += to.stride) {
      std::memcpy(to.first, from.first, Bytes);
      for (volatile unsigned& store : between) store = rows;
    }
  }
};

}  // namespace haloheap::comm::detail

#endif
