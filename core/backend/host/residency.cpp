// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/residency.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::backend {

Residency residency() {
  return {Kokkos::DefaultExecutionSpace().concurrency(), 1};
}

}  // namespace haloheap::backend
