// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/heap.hpp>
#include <haloheap/unit/allocators/malloc/other_file.hpp>

namespace haloheap {

void free_in_other_file(const TestedBlocks& blocks) {
  Kokkos::parallel_for(
      "haloheap::test::free_in_other_file", blocks.extent_int(0),
      KOKKOS_LAMBDA(int i) { haloheap::free(blocks(i).data); });
}

}  // namespace haloheap
