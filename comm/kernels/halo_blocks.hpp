// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_KERNELS_HALO_BLOCKS_HPP
#define HALOHEAP_COMM_KERNELS_HALO_BLOCKS_HPP

#include <haloheap/comm/halo_plan.hpp>
#include <haloheap/comm/kernels/block_copies.hpp>
#include <haloheap/comm/paths/transport.hpp>

#include <vector>

namespace haloheap {

/// In which arrays (as numbered by BlockPlace::array) the values of a route go and come.
struct RoutePlaces {
  std::vector<int> send, receive;  ///< packed, a round; where values are stored, receive takes narrow boxes
  std::vector<std::vector<int>> remote;                     ///< stored, [round][message]; empty when packed
  std::vector<std::vector<int>> remote_buffer;              ///< the same for narrow boxes
  std::vector<std::vector<const RemoteHalo*>> remote_halo;  ///< [round][message]
  std::vector<int> first_line;  ///< a round, the number of its first signal; empty without signals

  bool stores() const { return !remote.empty(); }
};

/// Which blocks an exchange copies, and when; pure geometry. Own cells are all read at once, in the
/// beginning; what later rounds forward, and so cannot be there yet, is read round by round.
struct HaloBlocks {
  std::vector<BlockCopy> early;                   ///< own cells, for all rounds
  std::vector<std::vector<BlockCopy>> forwarded;  ///< a round: ghost cells that go on to a neighbour
  std::vector<std::vector<BlockCopy>> unpack;     ///< a round

  HaloBlocks(const FieldLayout& layout, int rounds);
  /// Messages of a route.
  void add(const HaloPlan& route, const RoutePlaces& places);
  /// Periodic wraps onto this rank itself.
  void add_copies(const HaloPlan& plan);

  static constexpr int field = 0;  ///< the array that is the field itself

  /// Whether a box is better stored packed, and unpacked by the neighbour: where rows are shorter than a
  /// cache line, each would be a packet of its own on the link, and a translation of its own of the address.
  static bool narrow(const Box& box) { return box.extent(0) < 32; }

 private:
  void add_sends(std::size_t round, const std::vector<Box>& boxes, Index first, const RoutePlaces& places,
                 std::size_t message);
  BlockPlace destination(const RoutePlaces& places, std::size_t round, std::size_t message, std::size_t n,
                         const Box& box, Index in_round, Index in_message, const Triple& lo) const;
  void add_receives(std::size_t round, const std::vector<Box>& boxes, Index first, const RoutePlaces& places,
                    std::size_t message);
  /// Appends the parts of a copy that starts from `from`: own cells to `early`, others to `late`.
  template <class MakeBlock>
  void split(const Box& from, std::vector<BlockCopy>& late, const MakeBlock& make);

  FieldLayout layout_;
};

}  // namespace haloheap

#endif
