// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_SEGMENT_LAYOUT_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_SEGMENT_LAYOUT_HPP

#include <haloheap/allocators/coalescing/superblocks.hpp>
#include <haloheap/core/lanes/scan.hpp>

namespace haloheap::allocators::detail {

/// Where a lane's segment lies in the superblock of its group, in bytes, and how large its header is.
///
/// A header says by its size where the payload may lie (header_chain.hpp), so segments of several kinds side
/// by side would need padding that depends on all before. Instead, all of a kind lie together, in the order
/// of the lanes, and each kind is a multiple of its own unit:
///   tiny     below 16 bytes, not a multiple of 4: header of 2, unit 4
///   narrow   4, 8 or 12 bytes: header of 4 or 8, whichever takes less, unit 8
///   wide     16 bytes and more. Header of 8 and unit 16 where payloads are to be aligned to 16, unit 8 for
///            8; for 4 (as [Blach2022] has it) header of 4 or 8, whichever takes less, unit 8
/// Payloads below 16 bytes are aligned to what an array of so many bytes can need; so are all others up to
/// 8 bytes, and to the alignment that was asked for.
struct SegmentLayout {
  std::uint64_t payload = 0;   ///< from the superblock's first byte
  std::uint64_t distance = 0;  ///< back to the payload before this one, or to the superblock's first byte
  std::uint64_t total = 0;     ///< of the superblock
  bool first = false, last = false;  ///< in the superblock

  /// All lanes of the group call, for at most superblocks::maximum bytes each. `alignment`: 4, 8 or 16.
  template <class Lanes>
  KOKKOS_FUNCTION static SegmentLayout of(const Lanes& lanes, std::size_t bytes, unsigned alignment) {
    using Mask = typename Lanes::Mask;
    const std::uint64_t size = superblocks::at_least_one(bytes);
    const bool is_wide = size >= 16, is_tiny = !is_wide && size % 4 != 0;
    const Mask tiny = lanes.ballot(is_tiny), wide = lanes.ballot(is_wide);
    const Mask narrow = lanes.mask() & ~(tiny | wide);
    // The header behind a segment tells how long that is, and one of 4 bytes up to 1 GiB.
    const bool all_8 = alignment > 4 || lanes.ballot(size >= max_before_4) != 0;
    const unsigned header = is_tiny ? 2 : is_wide && all_8 ? 8 : small_header(size);
    const unsigned unit = is_tiny ? 4 : is_wide && alignment == 16 ? 16 : 8;
    const std::uint64_t slot = superblocks::round_up(header + size, unit);
    const unsigned shift = is_tiny ? tiny_shift : is_wide ? 0 : narrow_shift;
    const std::uint64_t before = lanes::exclusive_sum(lanes, slot << shift);
    const std::uint64_t all = lanes.shuffle(before + (slot << shift), lanes::bits::highest(lanes.mask()));
    const std::uint64_t narrow_begin = superblocks::round_up(all >> tiny_shift, 8);
    const std::uint64_t narrow_end = narrow_begin + (all >> narrow_shift & small_bits);
    // Units of 16 begin 8 bytes late, so that it is the payloads that are aligned to 16.
    const std::uint64_t wide_begin =
        alignment == 16 ? superblocks::round_up(narrow_end + 8, 16) - 8 : narrow_end;

    SegmentLayout layout;
    if (is_tiny)
      layout.payload = (before >> tiny_shift) + header;
    else if (is_wide)
      layout.payload = wide_begin + (before & wide_bits) + header;
    else
      layout.payload = narrow_begin + (before >> narrow_shift & small_bits) + header;

    const Mask below = lanes::group::below(lanes);
    Mask neighbours = (is_tiny ? tiny : is_wide ? wide : narrow) & below;
    if (neighbours == 0 && is_wide) neighbours = narrow;
    if (neighbours == 0 && !is_tiny) neighbours = tiny;
    layout.first = neighbours == 0;
    const std::uint64_t from =
        lanes.shuffle(layout.payload, layout.first ? lanes.lane() : lanes::bits::highest(neighbours));
    layout.distance = layout.first ? layout.payload : layout.payload - from;
    const unsigned last = lanes::bits::highest(wide != 0 ? wide : narrow != 0 ? narrow : tiny);
    layout.last = lanes.lane() == last;
    // The header of a payload of one byte is changed as a word that ends behind it (small_words.hpp).
    layout.total = superblocks::round_up(lanes.shuffle(layout.payload + size, last), 4);
    return layout;
  }

 private:
  static constexpr std::uint64_t max_before_4 = std::uint64_t{1} << 29;
  /// The sums of all three kinds stand in one word: 42 bits, 11 and 11.
  static constexpr unsigned narrow_shift = 42, tiny_shift = 53;
  static constexpr std::uint64_t wide_bits = (std::uint64_t{1} << narrow_shift) - 1;
  static constexpr std::uint64_t small_bits = (std::uint64_t{1} << (tiny_shift - narrow_shift)) - 1;

  KOKKOS_FUNCTION static unsigned small_header(std::uint64_t size) {
    return superblocks::round_up(4 + size, 8) < superblocks::round_up(8 + size, 8) ? 4 : 8;
  }
};

}  // namespace haloheap::allocators::detail

#endif
