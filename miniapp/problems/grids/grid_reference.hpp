// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_REFERENCE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_REFERENCE_HPP

#include <haloheap/miniapp/problems/grids/grid_model.hpp>

#include <any>
#include <string>
#include <vector>

namespace haloheap {

/// The serial reference of the deck asked for last, its fields and its residuals. A sweep varies ranks, halos
/// and memory fastest, and those do not change the solution: keeping one solution computes each once, and
/// holds no more than one.
class GridReference {
 public:
  /// The whole grid, by field, z, y, x. Valid until the next call. @param model of the deck
  template <class T>
  const std::vector<T>& solution(const deck::Deck& deck, const GridModelOf<T>& model);

  /// The residual sum of each step. Valid until the next call.
  template <class T>
  const std::vector<stencil::ResidualSum>& residuals(const deck::Deck& deck, const GridModelOf<T>& model,
                                                     const stencil::ResidualScale& scale);

 private:
  std::string solved_, summed_;  ///< the problems of the solution and the sums, if there are any
  std::any cells_;               ///< a vector of the model's values
  std::vector<stencil::ResidualSum> sums_;
};

}  // namespace haloheap

#endif
