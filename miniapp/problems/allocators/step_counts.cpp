// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/random_walk/step_formulas.hpp>
#include <haloheap/miniapp/problems/allocators/step_counts.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap {

StepCounts step_counts(const Kokkos::DefaultExecutionSpace& exec, const std::uint32_t* steps, int count) {
  using Policy = Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace, Kokkos::IndexType<int>>;
  constexpr int warp = allocators::step_formulas::warp;
  const int warps = (count + warp - 1) / warp;
  std::uint64_t sum = 0, sum_of_slowest = 0;
  Kokkos::parallel_reduce(
      "haloheap::step_counts", Policy(exec, 0, warps),
      KOKKOS_LAMBDA(const int i, std::uint64_t& all, std::uint64_t& slowest) {
        std::uint32_t maximum = 0;
        for (int j = warp * i; j < count && j < warp * (i + 1); ++j) {
          all += steps[j];
          maximum = steps[j] > maximum ? steps[j] : maximum;
        }
        slowest += maximum;
      },
      sum, sum_of_slowest);
  return {static_cast<double>(sum) / count, static_cast<double>(sum_of_slowest) / warps};
}

}  // namespace haloheap
