// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_KERNELS_HALO_BLOCKS_HPP
#define HALOHEAP_COMM_KERNELS_HALO_BLOCKS_HPP

#include <haloheap/comm/halo_plan.hpp>
#include <haloheap/comm/kernels/cell_origins.hpp>
#include <haloheap/comm/kernels/field_shape.hpp>
#include <haloheap/comm/kernels/packed_round.hpp>
#include <haloheap/comm/kernels/strided_copy.hpp>

#include <array>
#include <limits>
#include <optional>
#include <vector>

namespace haloheap::comm::detail {

/// Memory for the first and for the second of the two sets of fields that are exchanged.
using ForEachSet = std::array<void*, 2>;

/// Which way values go.
enum class Flow {
  fill,        ///< from their owner to the ghost cells of neighbours
  accumulate,  ///< from ghost cells to their owner, who adds them to his own; rounds in reverse order
};

/// A neighbour's halo as this rank's kernels see it.
struct RemoteHalo {
  std::vector<ForEachSet> data;    ///< the neighbour's fields, mapped; empty: everything goes packed
  std::vector<FieldShape> shapes;  ///< of those fields
  std::vector<grid::Box> boxes;    ///< the n-th takes the n-th box that this rank sends
  ForEachSet buffer{};             ///< where narrow boxes of the message go instead, packed
};

/// Where kernels write and read the values of a path's messages.
struct PathPlaces {
  std::vector<void*> send;          ///< packed, a round; empty where values are stored
  std::vector<ForEachSet> receive;  ///< packed, a round; where values are stored, narrow boxes alone
  std::vector<std::vector<RemoteHalo>> remote;  ///< stored, [round][message]; empty where they are packed
  /// A round, the number of its first signal: blocks wait for those of their message. Empty: they need not.
  std::vector<int> first_channel;

  bool packed() const { return remote.empty(); }
};

/// Values that have come for own cells: a box of one field.
struct HaloSum {
  static constexpr int self = std::numeric_limits<int>::max();

  int peer = self;  ///< from whom
  std::size_t field = 0;
  grid::Box to;
  std::vector<BlockCopy> blocks;
};

/// Which blocks an exchange copies, and when; pure geometry. Own cells are all read at once, in the
/// beginning; what later rounds forward, and so cannot be there yet, is read round by round. What accumulates
/// ghost cells reads them round by round, for each round adds to what the next one sends.
struct HaloBlocks {
  std::vector<BlockCopy> early;                   ///< what is there in the beginning
  std::vector<std::vector<BlockCopy>> forwarded;  ///< a round: what earlier rounds have brought
  std::vector<std::vector<BlockCopy>> unpack;     ///< a round; nothing when accumulating
  /// A round, in the order of addition, whatever way they come: that of the peers, then this rank itself.
  std::vector<std::vector<HaloSum>> sums;

  /// A round, where the host copies corners: from the receive buffers of earlier rounds to its send buffer,
  /// by their rounds' numbers in the place of arrays'.
  std::vector<std::vector<BlockCopy>> corners;

  /// What BlockPlace::array counts. The fields are the first.
  std::vector<ForEachSet> arrays;

  /// @param fields where those of `shapes` are
  HaloBlocks(const grid::Box& own, int rounds, const std::vector<FieldShape>& shapes,
             const std::vector<ForEachSet>& fields, Flow flow = Flow::fill);
  /// From here on nothing is forwarded round by round: what comes early and late is packed and unpacked at
  /// once. Needs Flow::fill, and places in buffers. @param plan of all messages and copies
  void leave_corners_to_host(const HaloPlan& plan);
  /// Messages that go one way. @param strips a round, that they are parts of; none: they are packed one by
  /// one
  void add(const HaloPlan& route, const PathPlaces& places, const std::vector<RoundStrips>& strips = {});
  /// Periodic wraps onto this rank itself.
  void add_copies(const HaloPlan& plan);

  /// Whether a box is better stored packed, and unpacked by the neighbour whose field has this shape: where
  /// runs are shorter than a cache line, each would be a packet of its own on the link, and a translation of
  /// its own of the address.
  static bool narrow(const FieldShape& shape, const grid::Box& box);

 private:
  struct Message;

  /// What has come in a message.
  struct Received {
    int array = 0;
    std::vector<std::vector<PackedPlace>> at;  // [field][box]
  };

  int number_of(const ForEachSet& array);
  StridedPlace in_field(int array, const FieldShape& shape, const grid::Triple& lo) const;
  StridedPlace in_buffer(int array, grid::Index first, const FieldShape& shape, const grid::Box& box,
                         const grid::Triple& lo) const;
  StridedPlace destination(const Message& message, std::size_t field, std::size_t n, const grid::Triple& lo);
  void add_strips(const RoundStrips& strips, std::size_t round, void* buffer);
  void add_sends(const Message& message);
  template <class To>
  void add_packed(std::size_t field, std::size_t round, const grid::Box& box, int channel, const To& to);
  template <class To, class AddReceived>
  void resolve(std::size_t field, std::size_t round, const grid::Box& box, const To& to,
               const AddReceived& add_received);
  PackedPlace place_of(const Message& message, std::size_t field, std::size_t n) const;
  std::vector<BlockCopy>& unpacked_in(std::size_t round) { return resolved_ ? unpack.back() : unpack[round]; }
  void add_receives(const Message& message);
  /// Appends the parts of a copy that starts from `from`: what is there in the beginning to `early`, what is
  /// not to `late`.
  template <class MakeBlocks>
  void split(std::size_t round, const grid::Box& from, std::vector<BlockCopy>& late, const MakeBlocks& make);

  grid::Box own_;
  std::vector<FieldShape> shapes_;
  Flow flow_;
  std::optional<HaloPlan> resolved_;             // where the host copies corners
  std::vector<std::vector<Received>> received_;  // [round][message], there
};

}  // namespace haloheap::comm::detail

#endif
