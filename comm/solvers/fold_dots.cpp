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
    constexpr int together = 16;  // on their way from memory at once
    static_assert(residual_slots % together == 0);
    double sum = 0;
    for (int first = 0; first < residual_slots; first += together) {
      double found[together];
      HALOHEAP_UNROLL
      for (int n = 0; n < together; ++n) found[n] = of.slots[(first + n) * of.stride + i];
      HALOHEAP_UNROLL
      for (int n = 0; n < together; ++n) {
        sum += found[n];
        of.slots[(first + n) * of.stride + i] = 0;
      }
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
