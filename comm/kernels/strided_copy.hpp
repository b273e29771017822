// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_KERNELS_STRIDED_COPY_HPP
#define HALOHEAP_COMM_KERNELS_STRIDED_COPY_HPP

#include <haloheap/comm/kernels/block_copies.hpp>

#include <array>
#include <vector>

namespace haloheap::comm::detail {

/// Where the values of a copy stand on one side, in bytes.
struct StridedPlace {
  int array = 0;
  grid::Index first = 0;
  std::array<grid::Index, 4> stride{};
  grid::Index alignment = 16;  ///< see BlockPlace
};

/// A copy of values that lie in a row in no dimension, or in some.
struct StridedCopy {
  grid::Index element = 0;  ///< bytes of a value
  std::array<grid::Index, 4> count{1, 1, 1, 1};
  StridedPlace from, to;
};

/// The same as blocks, with runs as long as can be and few dimensions: those in which both sides go on where
/// the last ended are joined to it. One block, unless four dimensions are left: then the one with the fewest
/// values gives a block for each. Nothing if there is nothing to copy.
std::vector<BlockCopy> blocks_of(const StridedCopy& copy);

}  // namespace haloheap::comm::detail

#endif
