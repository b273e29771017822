// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_KERNELS_BLOCK_SUMS_HPP
#define HALOHEAP_COMM_KERNELS_BLOCK_SUMS_HPP

#include <haloheap/comm/kernels/halo_blocks.hpp>
#include <haloheap/comm/value_type.hpp>

#include <memory>
#include <string>
#include <vector>

namespace haloheap::comm::detail {

/// Adds blocks of values to others. Where boxes have cells in common, each cell gets its values in the order
/// of the list, so that the sum has the same bits whenever they have come: boxes that have none in common are
/// added by one kernel, for each type.
class BlockSums {
 public:
  using Exec = backend::Exec;

  /// @param types of the fields' values
  /// @throws UsageError if a block has 2^31 values or more
  BlockSums(const std::string& label, const std::vector<HaloSum>& sums, const std::vector<ValueType>& types);

  bool empty() const { return kernels_.empty(); }
  std::size_t kernels() const { return kernels_.size(); }
  /// @param arrays as for BlockCopies
  void run(const Exec& exec, const BlockArray* arrays) const;

 private:
  struct Kernel;  // the blocks of one type that are added at once
  std::string label_;
  std::vector<std::shared_ptr<const Kernel>> kernels_;
};

}  // namespace haloheap::comm::detail

#endif
