// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/allocation_work.hpp>

namespace haloheap {

Workload Workload::of(AllocationWork work, int n) {
  int side = 0;
  while ((side + 1) * (side + 1) <= n) ++side;
  return {work, n, side};
}

double Workload::flops() const {
  const double count = n, square = side;
  if (work == AllocationWork::quadratic) return 2 * count * count;
  if (work == AllocationWork::transposed) return 2 * square * square;
  return count;
}

}  // namespace haloheap
