// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/backend/launch.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/grid/copy.hpp>

namespace haloheap::grid {
namespace {

struct StreamCopy {
  double* to;
  const double* from;

  KOKKOS_FUNCTION void operator()(Index i) const { to[i] = from[i]; }
};

}  // namespace

void copy_baseline(const backend::Exec& exec, void* to, const void* from, std::size_t bytes) {
  using Exec = backend::Exec;
  if constexpr (backend::kernels_on_host) {
    const std::size_t tail = bytes % sizeof(double), whole = bytes - tail;
    backend::parallel_for("haloheap::grid::stream_copy",
                          Kokkos::RangePolicy<Exec, Kokkos::IndexType<Index>>(
                              exec, 0, static_cast<Index>(whole / sizeof(double))),
                          StreamCopy{static_cast<double*>(to), static_cast<const double*>(from)});
    if (tail > 0)
      backend::copy_async(exec, static_cast<char*>(to) + whole, static_cast<const char*>(from) + whole, tail);
  } else {
    backend::copy_async(exec, to, from, bytes);
  }
}

}  // namespace haloheap::grid
