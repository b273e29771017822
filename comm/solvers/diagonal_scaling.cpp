// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/diagonal_scaling.hpp>

namespace haloheap::comm::detail {
namespace {

/// 0 for a factor that may be, 1 for others, and not finite for what is no number, or infinite on the
/// diagonal.
template <class T>
struct WrongFactor {
  static constexpr int dots = 1;
  const T* factors;
  bool positive;

  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, 1> operator()(const grid::Triple& /*cell*/,
                                                                    grid::Index at) const {
    const auto factor = static_cast<double>(factors[at]);
    if (Kokkos::isnan(factor) || factor == 0) return {{Kokkos::Experimental::quiet_NaN_v<double>}};
    return {{Kokkos::isfinite(factor) && (factor > 0 || !positive) ? 0.0 : 1.0}};
  }
};

}  // namespace

template <class T>
std::optional<StopReason> DiagonalScaling<T>::prepare(const Exec& exec, const LinearSystem<T>& system,
                                                      bool positive) {
  system.kernels().diagonal(exec, field_.data(), true);
  for_own_cells(exec, "haloheap::comm::wrong_factors", system.layout(),
                LargestProduct<WrongFactor<T>>{{field_.data(), positive}, system.dots().largest_target()});
  const double wrong = system.dots().largest(exec);
  if (wrong != 0) return std::isfinite(wrong) ? StopReason::indefinite : StopReason::not_a_number;
  exchange_.exchange(exec, 0);
  system.kernels().impose_on_scaling(exec, field_.data());
  return std::nullopt;
}

template class DiagonalScaling<float>;
template class DiagonalScaling<double>;

}  // namespace haloheap::comm::detail
