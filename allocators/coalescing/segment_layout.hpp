// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_SEGMENT_LAYOUT_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_SEGMENT_LAYOUT_HPP

#include <haloheap/allocators/coalescing/superblocks.hpp>
#include <haloheap/core/lanes/scan.hpp>

namespace haloheap::allocators::detail {

/// Where a lane's segment lies in the superblock of its group, in bytes. Segments are multiples of one unit,
/// so that they keep their alignment whatever lies before them: 16 if any lane asks for 16 bytes or more, 4
/// if none asks for more than 3, otherwise 8. Payloads of 16 bytes and more are aligned to 16; smaller ones
/// get a smaller header where that saves a unit, and stay aligned for whatever an array of so many bytes can
/// hold.
struct SegmentLayout {
  std::uint32_t payload = 0;   ///< from the superblock's first byte
  std::uint32_t distance = 0;  ///< back to the payload of the lane before, or to the superblock's first byte
  std::uint32_t total = 0;     ///< of the superblock

  /// All lanes of the group call. At most 2^29 bytes in total, whatever is asked for.
  template <class Lanes>
  KOKKOS_FUNCTION static SegmentLayout of(const Lanes& lanes, std::size_t bytes) {
    using Mask = typename Lanes::Mask;
    const bool large = lanes.ballot(bytes >= 16) != 0;
    const bool tiny = lanes.ballot(bytes >= 4) == 0;
    const std::uint32_t unit = large ? 16 : tiny ? 4 : 8;
    const std::uint32_t size = superblocks::clamped(bytes);
    const std::uint32_t header = large ? 8 : tiny ? 2 : small_header(size);
    // Units of 16 begin 8 bytes late, so that it is the payloads that are aligned to 16.
    const std::uint32_t slot = superblocks::round_up(header + size, unit);
    SegmentLayout layout;
    layout.payload = (large ? 8 : 0) + lanes::exclusive_sum(lanes, slot) + header;
    const Mask below = lanes.mask() & lanes::group::below(lanes);
    const std::uint32_t before =
        lanes.shuffle(layout.payload, below == 0 ? lanes.lane() : lanes::bits::highest(below));
    layout.distance = below == 0 ? layout.payload : layout.payload - before;
    // The header of a payload of one byte is changed as a word that ends behind it (small_words.hpp).
    layout.total =
        superblocks::round_up(lanes.shuffle(layout.payload + size, lanes::bits::highest(lanes.mask())), 4);
    return layout;
  }

 private:
  KOKKOS_FUNCTION static std::uint32_t small_header(std::uint32_t size) {
    return superblocks::round_up(4 + size, 8) < superblocks::round_up(8 + size, 8) ? 4 : 8;
  }
};

}  // namespace haloheap::allocators::detail

#endif
