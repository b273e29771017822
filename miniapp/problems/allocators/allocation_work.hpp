// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ALLOCATION_WORK_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ALLOCATION_WORK_HPP

#include <haloheap/core/base/names.hpp>
#include <haloheap/core/lanes/bits.hpp>

#include <Kokkos_Macros.hpp>

#include <string>

namespace haloheap {

/// What a thread of problem allocation computes from its own array: [Blach2022], listing 2, has linear and
/// quadratic; the others differ in the order of access.
enum class AllocationWork { linear, quadratic, strided, gather, transposed };

constexpr auto names_of(AllocationWork) {
  return name_table<AllocationWork>("workload", {{AllocationWork::linear, "linear"},
                                                 {AllocationWork::quadratic, "quadratic"},
                                                 {AllocationWork::strided, "strided"},
                                                 {AllocationWork::gather, "gather"},
                                                 {AllocationWork::transposed, "transposed"}});
}

/// One workload over n floats. For kernels and, as the reference, for the host: every product that it sums is
/// exact in float, so that a fused multiply-add changes no bit.
struct Workload {
  static constexpr int stride = 8;  ///< of strided: a memory sector of 32 bytes

  AllocationWork work;
  int n;
  int side;  ///< of the largest square matrix of at most n elements

  static Workload of(AllocationWork work, int n);

  /// Additions and multiplications of one thread.
  double flops() const;

  /// The result; it is not stored. `thread` makes the random places differ.
  KOKKOS_INLINE_FUNCTION float operator()(const float* data, unsigned thread) const {
    switch (work) {
      case AllocationWork::linear:
        return linear(data);
      case AllocationWork::quadratic:
        return quadratic(data);
      case AllocationWork::strided:
        return strided(data);
      case AllocationWork::gather:
        return gather(data, thread);
      default:
        return transposed(data);
    }
  }

 private:
  KOKKOS_INLINE_FUNCTION float linear(const float* data) const {
    float sum = 0;
    for (int i = 0; i < n; ++i) sum += data[i];
    return sum;
  }
  KOKKOS_INLINE_FUNCTION float quadratic(const float* data) const {
    float sum = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) sum += data[i] * data[j];
    return sum;
  }
  KOKKOS_INLINE_FUNCTION float strided(const float* data) const {
    float sum = 0;
    for (int first = 0; first < stride; ++first)
      for (int i = first; i < n; i += stride) sum += data[i];
    return sum;
  }
  KOKKOS_INLINE_FUNCTION float gather(const float* data, unsigned thread) const {
    float sum = 0;
    std::uint32_t random = lanes::bits::mix(thread);
    for (int i = 0; i < n; ++i) {
      random = random * 1664525U + 1013904223U;
      sum += data[static_cast<int>(std::uint64_t{random} * static_cast<std::uint32_t>(n) >> 32)];
    }
    return sum;
  }
  KOKKOS_INLINE_FUNCTION float transposed(const float* data) const {
    float sum = 0;
    for (int row = 0; row < side; ++row)
      for (int column = 0; column < side; ++column)
        sum += data[row * side + column] * data[column * side + row];
    return sum;
  }
};

inline Workload Workload::of(AllocationWork work, int n) {
  int side = 0;
  while ((side + 1) * (side + 1) <= n) ++side;
  return {work, n, side};
}

inline double Workload::flops() const {
  const double count = n, square = side;
  if (work == AllocationWork::quadratic) return 2 * count * count;
  if (work == AllocationWork::transposed) return 2 * square * square;
  return count;
}

}  // namespace haloheap

#endif
