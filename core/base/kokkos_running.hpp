// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BASE_KOKKOS_RUNNING_HPP
#define HALOHEAP_CORE_BASE_KOKKOS_RUNNING_HPP

#include <string_view>

namespace haloheap {

/// Throws UsageError, which names `what`, before Kokkos::initialize and after Kokkos::finalize. Constructors
/// of what takes memory or launches kernels begin with it: Kokkos itself crashes there, or ends the program.
void require_kokkos(std::string_view what);

}  // namespace haloheap

#endif
