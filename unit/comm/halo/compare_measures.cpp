// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What measures of an update rule cost, by kernels of their own and on the way. No test: its result is times.
//
//   compare_measures [cells in a dimension, 16384] [milliseconds of a run, 500] [cells in each of three, 512]
//
// Each number is the best of five runs; what both ways have measured is compared.
#include <haloheap/unit/comm/halo/compare_measures.hpp>

int main(int argc, char** argv) {
  using namespace haloheap::comm;
  const auto compare = []<class T, int Dims>(const Communicator& world, const Grid& grid, double seconds,
                                             int fused) {
    MeasureComparison<T, Dims, Max<T, Dims>>(world, grid, seconds).run(fused);
    MeasureComparison<T, Dims, Sum<T, Dims>>(world, grid, seconds).run(fused);
  };
  return compare_steps(argc, argv, compare);
}
