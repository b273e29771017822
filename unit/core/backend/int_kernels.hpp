// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_BACKEND_INT_KERNELS_HPP
#define HALOHEAP_UNIT_CORE_BACKEND_INT_KERNELS_HPP

#include <haloheap/backend/exec.hpp>

#include <Kokkos_Core.hpp>

// What tests of queues and graphs launch.
namespace haloheap::backend {

using Values = Kokkos::View<int*, Exec>;
using Range = Kokkos::RangePolicy<Exec>;

struct AddTo {
  Values from, to;
  KOKKOS_FUNCTION void operator()(int i) const { to(i) += from(i); }
};

}  // namespace haloheap::backend

#endif
