// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_HEAT_HEAT_REFERENCE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_HEAT_HEAT_REFERENCE_HPP

#include <haloheap/core/stencil/initial.hpp>
#include <haloheap/miniapp/problems/heat/heat_settings.hpp>

#include <optional>
#include <variant>
#include <vector>

namespace haloheap {

/// The serial reference of the problem asked for last, its field and its residuals. A sweep varies ranks,
/// halos and memory fastest, and those do not change the solution: keeping one solution computes each once,
/// and holds no more than one.
class HeatReference {
 public:
  /// The whole grid, quantity by quantity, x fastest. Valid until the next call.
  /// @param initial the start values that belong to `settings`
  template <class T>
  const std::vector<T>& solution(const HeatSettings& settings, const stencil::InitialField& initial);

  /// The residual sum of each step. Valid until the next call. @param settings with a residual
  template <class T>
  const std::vector<stencil::ResidualSum>& residuals(const HeatSettings& settings,
                                                     const stencil::InitialField& initial);

 private:
  HeatSettings settings_;  ///< of the solution, if there is one
  std::variant<std::monostate, std::vector<float>, std::vector<double>> cells_;

  struct Residuals {
    HeatSettings settings;
    std::size_t value_bytes;
    std::vector<stencil::ResidualSum> sums;
  };
  std::optional<Residuals> residuals_;
};

extern template const std::vector<float>& HeatReference::solution<float>(const HeatSettings&,
                                                                         const stencil::InitialField&);
extern template const std::vector<double>& HeatReference::solution<double>(const HeatSettings&,
                                                                           const stencil::InitialField&);
extern template const std::vector<stencil::ResidualSum>& HeatReference::residuals<float>(
    const HeatSettings&, const stencil::InitialField&);
extern template const std::vector<stencil::ResidualSum>& HeatReference::residuals<double>(
    const HeatSettings&, const stencil::InitialField&);

}  // namespace haloheap

#endif
