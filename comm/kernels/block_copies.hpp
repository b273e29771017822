// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_KERNELS_BLOCK_COPIES_HPP
#define HALOHEAP_COMM_KERNELS_BLOCK_COPIES_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/kernels/peer_signals.hpp>
#include <haloheap/core/grid/field_layout.hpp>

#include <memory>
#include <string>
#include <vector>

namespace haloheap::comm::detail {

/// Where the values of a block stand: in which array, from which position on, and how far apart (in values)
/// rows, planes and quantities are.
struct BlockPlace {
  int array = 0;
  grid::Index first = 0;
  grid::Index row = 0, plane = 0, quantity = 0;

  /// Where cell `lo` and those after it stand in a field.
  static BlockPlace in_field(int array, const grid::FieldLayout& layout, const grid::Triple& lo);
  /// The part from cell `lo` on of a box that is packed from `first` on, quantity by quantity, row by row.
  static BlockPlace in_buffer(int array, grid::Index first, const grid::Box& box, const grid::Triple& lo);
};

/// A box of values of all quantities that is copied from one array to another: the one thing that packing,
/// unpacking, wrapping around and storing into a neighbour's halo have in common.
struct BlockCopy {
  static constexpr int no_channel = -1;

  grid::Triple extent = {};
  BlockPlace from = {}, to = {};
  int ready_channel = no_channel;    ///< wait until the peer of this channel is ready
  int arrived_channel = no_channel;  ///< wait until the values of this channel have come
};

/// An array that blocks lie in.
template <class T>
struct BlockArray {
  T* data = nullptr;
};

/// How many blocks a kernel with a part in an exchange may have on the device that is current, where so many
/// ranks share it. The threads of a host give way to each other: there each may wait.
/// @throws CapabilityError if it has no room for all of them: see waiting_blocks
int peer_kernel_blocks(int ranks);

/// Many block copies in one kernel, whatever their number and shape.
template <class T>
class BlockCopies {
 public:
  using Exec = backend::Exec;

  /// @param after blocks that are copied when the peers have been told of `blocks`; only on devices, where
  /// all threads of a small kernel run at once
  /// @throws UsageError if a block has 2^31 values or more
  BlockCopies(std::string label, const std::vector<BlockCopy>& blocks, int quantities,
              const std::vector<BlockCopy>& after = {});

  bool empty() const;

  /// How many values of a block a device moves at a time where the arrays start on 16 bytes: 16 bytes of them
  /// if rows are whole numbers of that and start on it, or 1.
  static int width(const BlockCopy& block, int quantities);

  /// @param arrays what BlockPlace::array counts, in device-accessible memory
  void run(const Exec& exec, const BlockArray<T>* arrays) const;
  /// The same with a part in an exchange between devices.
  void run(const Exec& exec, const BlockArray<T>* arrays, const PeerSignals& signals,
           const SignalDuties& duties) const;

 private:
  struct Tiles;  // the blocks as kernels see them

  std::string label_;
  std::shared_ptr<const Tiles> tiles_;
};

extern template class BlockCopies<float>;
extern template class BlockCopies<double>;

}  // namespace haloheap::comm::detail

#endif
