// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_LU_CHECK_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_LU_CHECK_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace haloheap {

/// The matrix that is taken apart: elements in [-1, 1) from the bits of their place. A dominant one has its
/// number of rows on the diagonal, which is more than all else in a row together: it needs no pivoting.
struct LuMatrix {
  std::int64_t size = 1;
  bool dominant = true;

  /// Exact in float.
  double operator()(std::int64_t row, std::int64_t column) const {
    if (dominant && row == column) return static_cast<double>(size);
    std::uint64_t x =
        static_cast<std::uint64_t>(row) * 0x9E3779B97F4A7C15ULL + static_cast<std::uint64_t>(column);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<double>(static_cast<std::int64_t>(x >> 42) - (1 << 21)) / (1 << 21);
  }
};

struct LuCheck {
  /// The largest |L U - P A|, over rows * largest |A| * epsilon. Of large matrices |(L U - P A) x| /
  /// sqrt(rows) for random x of +-1.
  double residual = 0;
  std::string differs;  ///< what is wrong; empty: nothing
};

/// Matrices of more rows are checked by random vectors only.
inline constexpr std::int64_t max_rows_compared = 1024;

/// L (below the diagonal, with ones on it) and U in one matrix, row after row, of the rows of `matrix` in the
/// order `rows`. Each element of L U has to be as close to P A as rounding allows: |L U - P A| <= g |L| |U|
/// with g = n u / (1 - n u), u = epsilon / 2 (Higham, Accuracy and Stability of Numerical Algorithms, Theorem
/// 9.3). And as each element is made by the same operations in the same order whatever the blocks and whoever
/// does it, it has the bits of a plain elimination on the host.
template <class T>
LuCheck check_lu(const LuMatrix& matrix, const T* lu, const std::vector<std::int64_t>& rows);

}  // namespace haloheap

#endif
