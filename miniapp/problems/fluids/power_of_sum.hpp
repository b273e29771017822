// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_FLUIDS_POWER_OF_SUM_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_FLUIDS_POWER_OF_SUM_HPP

#include <haloheap/backend/function.hpp>
#include <haloheap/backend/pragma.hpp>

namespace haloheap::fluids {

/// (1 + x)^gamma - 1 by sums, products and one quotient, which have the same bits everywhere, unlike pow. It
/// is the Padé approximant of degrees 7 and 7, quotients of hypergeometric polynomials in x ([Baker1996],
/// section 1.2), and is wrong by about ((1 - s) / (1 + s))^15 where s = sqrt(1 + x). With rounding, for gamma
/// from 1 to 2 and in double, that is less than 1e-15 of the result where x is from -0.25 to 0.4, 1e-14 from
/// -0.3 to 0.5, and 2e-11 from -0.5 to 1.
template <class T>
class PowerOfSum {
 public:
  static constexpr int degree = 7;

  explicit PowerOfSum(double gamma) {
    double above = 1, below = 1;  // the coefficients of x^k
    below_[0] = T{1};
    for (int k = 0; k < degree; ++k) {
      const double common = static_cast<double>(degree - k) / ((k + 1.0) * (2 * degree - k));
      above *= common * (degree + gamma - k);
      below *= common * (degree - gamma - k);
      difference_[k] = static_cast<T>(above - below);
      below_[k + 1] = static_cast<T>(below);
    }
  }

  HALOHEAP_FUNCTION T minus_one(T x) const {
    T above = difference_[degree - 1], below = below_[degree];
    HALOHEAP_UNROLL
    for (int k = degree - 1; k > 0; --k) {
      above = above * x + difference_[k - 1];
      below = below * x + below_[k];
    }
    return x * above / (below * x + below_[0]);
  }

 private:
  T difference_[degree], below_[degree + 1];
};

}  // namespace haloheap::fluids

#endif
