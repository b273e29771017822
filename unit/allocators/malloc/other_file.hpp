// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_ALLOCATORS_MALLOC_OTHER_FILE_HPP
#define HALOHEAP_UNIT_ALLOCATORS_MALLOC_OTHER_FILE_HPP

#include <Kokkos_Core.hpp>

namespace haloheap {

/// A View's elements cannot be pointers.
struct TestedBlock {
  void* data;
};
using TestedBlocks = Kokkos::View<TestedBlock*>;

/// Frees the blocks, in a kernel of another file than that which allocated them.
void free_in_other_file(const TestedBlocks& blocks);

}  // namespace haloheap

#endif
