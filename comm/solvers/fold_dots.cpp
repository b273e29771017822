// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/pragma.hpp>
#include <haloheap/comm/solvers/fold_dots.hpp>
#include <haloheap/comm/solvers/own_cells.hpp>
#include <haloheap/core/backend/instance.hpp>

#include <algorithm>
#include <vector>

namespace haloheap::comm::detail {
namespace {

/// One word of all slots a thread.
struct FoldDots {
  DotSlots of;

  KOKKOS_FUNCTION void operator()(int i) const {
    double found[residual_slots];  // all on their way from memory at once
    HALOHEAP_UNROLL
    for (int n = 0; n < residual_slots; ++n) found[n] = of.slots[n * of.stride + i];
    double sum = 0;
    HALOHEAP_UNROLL
    for (int n = 0; n < residual_slots; ++n) {
      sum += found[n];
      of.slots[n * of.stride + i] = 0;
    }
    of.totals[i] = sum;
  }
};

}  // namespace

void fold_dots(const backend::Exec& exec, const DotSlots& of) {
  using Policy = Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<int>>;
  backend::parallel_for("haloheap::comm::dot_fold", backend::as_kernel_argument(Policy(exec, 0, of.words)),
                        FoldDots{of});
}

void clear_dots(const memory::Array<double>& slots) {
  const std::vector<double> zeros(slots.size(), 0);
  const backend::Instance copies(backend::Priority::low);
  backend::copy(copies.exec(), slots.data(), zeros.data(), zeros.size() * sizeof(double));
}

double rounded_sum(const double* words) {
  stencil::MeasuredWords sum;
  std::copy_n(words, residual_parts, sum.part);
  return sum.value(stencil::MeasuredKinds::sum);
}

}  // namespace haloheap::comm::detail
