// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/kokkos_running.hpp>

#include <Kokkos_Core.hpp>

#include <string>

namespace haloheap {

void require_kokkos(std::string_view what) {
  if (Kokkos::is_initialized()) return;
  const char* when =
      Kokkos::is_finalized() ? " is used after Kokkos::finalize" : " is used before Kokkos::initialize";
  throw UsageError(std::string(what) + when, "", "keep it between Kokkos::initialize and Kokkos::finalize");
}

}  // namespace haloheap
