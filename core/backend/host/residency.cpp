// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/backend/residency.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::backend {

Residency residency() {
  return {Exec().concurrency(), 1};
}

}  // namespace haloheap::backend
