// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_KERNELS_HALO_BLOCKS_HPP
#define HALOHEAP_COMM_KERNELS_HALO_BLOCKS_HPP

#include <haloheap/comm/halo_plan.hpp>
#include <haloheap/comm/kernels/block_copies.hpp>

#include <array>
#include <vector>

namespace haloheap::comm::detail {

/// Memory for the first and for the second of the two fields that are exchanged.
using ForEachField = std::array<void*, 2>;

/// A neighbour's halo as this rank's kernels see it.
struct RemoteHalo {
  ForEachField data{};  ///< the neighbour's fields, mapped
  grid::FieldLayout layout;
  std::vector<grid::Box> boxes;  ///< the n-th takes the n-th box that this rank sends
  ForEachField buffer{};         ///< where narrow boxes of the message go instead, packed
};

/// Where kernels write and read the values of a path's messages.
struct PathPlaces {
  std::vector<void*> send;            ///< packed, a round; empty where values are stored
  std::vector<ForEachField> receive;  ///< packed, a round; where values are stored, narrow boxes alone
  std::vector<std::vector<RemoteHalo>> remote;  ///< stored, [round][message]; empty where they are packed
  /// A round, the number of its first signal: blocks wait for those of their message. Empty: they need not.
  std::vector<int> first_channel;

  bool packed() const { return remote.empty(); }
};

/// Which blocks an exchange copies, and when; pure geometry. Own cells are all read at once, in the
/// beginning; what later rounds forward, and so cannot be there yet, is read round by round.
struct HaloBlocks {
  std::vector<BlockCopy> early;                   ///< own cells, for all rounds
  std::vector<std::vector<BlockCopy>> forwarded;  ///< a round: ghost cells that go on to a neighbour
  std::vector<std::vector<BlockCopy>> unpack;     ///< a round

  /// What BlockPlace::array counts. The first is the field itself.
  std::vector<ForEachField> arrays;

  HaloBlocks(const grid::FieldLayout& layout, int rounds, const ForEachField& fields);
  /// Messages that go one way.
  void add(const HaloPlan& route, const PathPlaces& places);
  /// Periodic wraps onto this rank itself.
  void add_copies(const HaloPlan& plan);

  static constexpr int field = 0;  ///< the array that is the field itself

  /// Whether a box is better stored packed, and unpacked by the neighbour: where rows are shorter than a
  /// cache line, each would be a packet of its own on the link, and a translation of its own of the address.
  static bool narrow(const grid::Box& box) { return box.extent(0) < 32; }

 private:
  void add_sends(std::size_t round, const std::vector<grid::Box>& boxes, grid::Index first,
                 const PathPlaces& places, std::size_t message);
  int number_of(const ForEachField& array);
  BlockPlace destination(const PathPlaces& places, std::size_t round, std::size_t message, std::size_t n,
                         const grid::Box& box, grid::Index in_round, grid::Index in_message,
                         const grid::Triple& lo);
  void add_receives(std::size_t round, const std::vector<grid::Box>& boxes, grid::Index first,
                    const PathPlaces& places, std::size_t message);
  /// Appends the parts of a copy that starts from `from`: own cells to `early`, others to `late`.
  template <class MakeBlock>
  void split(const grid::Box& from, std::vector<BlockCopy>& late, const MakeBlock& make);

  grid::FieldLayout layout_;
};

}  // namespace haloheap::comm::detail

#endif
