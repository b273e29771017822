// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CHECKED_KERNEL_NAMES_HPP
#define HALOHEAP_ALLOCATORS_CHECKED_KERNEL_NAMES_HPP

namespace haloheap::allocators {

/// As long as one lives, errors of checked heaps have the label of the Kokkos kernel that found them
/// (HeapError::kernel). No two kernels run at once then: each is waited for, and what came since the one
/// before it is its own. Kernels that are launched without Kokkos, or by a graph, have no name. Of two the
/// second throws UsageError.
///
/// Kokkos must run. It takes the place of a tool's callbacks, and calls them.
class KernelNames {
 public:
  KernelNames();
  ~KernelNames();
  KernelNames(const KernelNames&) = delete;
  KernelNames& operator=(const KernelNames&) = delete;
};

}  // namespace haloheap::allocators

#endif
