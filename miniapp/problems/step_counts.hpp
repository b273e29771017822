// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_STEP_COUNTS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_STEP_COUNTS_HPP

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace haloheap {

/// Allocators that can count the steps of a request.
template <class Handle>
concept CountsSteps = requires(const Handle heap, std::size_t bytes, std::uint32_t& steps) {
  heap.allocate(bytes, steps);
};

struct StepCounts {
  double threads = 0;  ///< on average of the threads (TAS)
  double warps = 0;    ///< of the slowest of 32 threads, on average (WAS)
};

/// Of `count` numbers that kernels can reach; at least one.
inline StepCounts step_counts(const Kokkos::DefaultExecutionSpace& exec, const std::uint32_t* steps,
                              int count) {
  using Policy = Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace, Kokkos::IndexType<int>>;
  constexpr int warp = 32;
  const int warps = (count + warp - 1) / warp;
  std::uint64_t sum = 0, sum_of_slowest = 0;
  Kokkos::parallel_reduce(
      "haloheap::step_counts", Policy(exec, 0, warps),
      KOKKOS_LAMBDA(const int i, std::uint64_t& all, std::uint64_t& slowest) {
        std::uint32_t most = 0;
        for (int j = warp * i; j < count && j < warp * (i + 1); ++j) {
          all += steps[j];
          most = steps[j] > most ? steps[j] : most;
        }
        slowest += most;
      },
      sum, sum_of_slowest);
  return {static_cast<double>(sum) / count, static_cast<double>(sum_of_slowest) / warps};
}

}  // namespace haloheap

#endif
