// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_KERNELS_BLOCK_COPIES_HPP
#define HALOHEAP_COMM_KERNELS_BLOCK_COPIES_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/kernels/peer_signals.hpp>
#include <haloheap/core/grid/box.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace haloheap::comm::detail {

/// A number for each dimension in which the runs of a block lie, the fastest first.
using BlockTriple = std::array<grid::Index, 3>;

/// Where the bytes of a block stand: in which array, from which byte on, and how many bytes its runs are
/// apart.
struct BlockPlace {
  int array = 0;
  grid::Index first = 0;
  BlockTriple stride = {};
  grid::Index alignment = 16;  ///< of the array's start, as far as the widest load cares: a power of two
};

/// Runs of bytes that are copied from one array to another: the one thing that packing, unpacking, wrapping
/// around and storing into a neighbour's halo have in common.
struct BlockCopy {
  static constexpr int no_channel = -1;

  grid::Index run = 0;            ///< bytes that lie in a row on both sides
  BlockTriple count = {1, 1, 1};  ///< of runs
  BlockPlace from = {}, to = {};
  int ready_channel = no_channel;    ///< wait until the peer of this channel is ready
  int arrived_channel = no_channel;  ///< wait until the values of this channel have come

  grid::Index bytes() const { return run * count[0] * count[1] * count[2]; }
};

/// An array that blocks lie in.
struct BlockArray {
  std::byte* data = nullptr;
};

/// How many blocks a kernel with a part in an exchange may have on the device that is current, where so many
/// ranks share it. The threads of a host give way to each other: there each may wait.
/// @throws CapabilityError if it has no room for all of them: see waiting_blocks
int peer_kernel_blocks(int ranks);

/// Many block copies in one kernel, whatever their number and shape.
class BlockCopies {
 public:
  using Exec = backend::Exec;

  /// @param after blocks that are copied when the peers have been told of `blocks`; only on devices, where
  /// all threads of a small kernel run at once
  /// @throws UsageError if a block has 2^31 units or more
  BlockCopies(std::string label, const std::vector<BlockCopy>& blocks,
              const std::vector<BlockCopy>& after = {});

  bool empty() const;

  /// How many bytes of a block a device moves at a time: the largest power of two up to 16 of which its runs
  /// are whole numbers, and on which all of them start.
  static int unit(const BlockCopy& block);

  /// @param arrays what BlockPlace::array counts, in device-accessible memory
  void run(const Exec& exec, const BlockArray* arrays) const;
  /// The same with a part in an exchange between devices.
  void run(const Exec& exec, const BlockArray* arrays, const PeerSignals& signals,
           const SignalDuties& duties) const;

 private:
  struct Tiles;  // the blocks as kernels see them

  std::string label_;
  std::shared_ptr<const Tiles> tiles_;
};

}  // namespace haloheap::comm::detail

#endif
