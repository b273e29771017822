// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/block_lists.hpp>

namespace haloheap::block_lists {

Lists::Sum Lists::sum(const Exec& exec) const {
  Sum sum;
  List* const lists = data();
  Kokkos::parallel_reduce(
      "haloheap::block_lists::sum", Policy(exec, 0, count()),
      KOKKOS_LAMBDA(const int i, std::uint64_t& blocks, std::uint64_t& bytes) {
        blocks += lists[i].count;
        bytes += lists[i].bytes;
      },
      sum.blocks, sum.bytes);
  return sum;
}

}  // namespace haloheap::block_lists
