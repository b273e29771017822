// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_STENCIL_HPP
#define HALOHEAP_CORE_STENCIL_STENCIL_HPP

#include <haloheap/core/base/config_problem.hpp>
#include <haloheap/core/grid/box.hpp>
#include <haloheap/core/stencil/stencil_table.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace haloheap::stencil {

/// A weighted sum over neighbours with constant coefficients: u'(c) = sum_i coefficients[i] * u(c +
/// offsets[i]). Terms are added in the order of `offsets`, lowest z first, then y, then x (as in [Valen2023],
/// Listing 2), each by a fused multiply-add, on every backend: that is what makes results equal bit for bit.
struct Stencil {
  int dims = 2;
  StencilShape shape = StencilShape::star;
  int radius = 1;
  std::vector<double> coefficients;

  /// Neighbour offsets in summation order.
  std::vector<grid::Triple> offsets() const;
  /// True if every coefficient equals its mirror images: then sine modes are eigenvectors.
  bool symmetric() const;
  /// Factor by which one step multiplies the mode with these angles per cell (radians); needs symmetric().
  double eigenvalue(const double (&angle)[3]) const;
};

/// Number of coefficients of a stencil: in 2D and 3D 5 and 7 (star), 9 and 27 (box), 9 and 13 (star of radius
/// 2).
std::size_t stencil_points(int dims, StencilShape shape, int radius);

/// True for the stencils that have kernels: those of stencil_table, in 2D and 3D.
bool stencil_supported(int dims, StencilShape shape, int radius);

/// What of a stencil can be wrong.
enum class StencilSetting { radius, coefficients };

/// Why there is no such stencil: it has no kernel. Nothing if there is.
std::optional<ConfigProblem<StencilSetting>> stencil_problem(int dims, StencilShape shape, int radius);

/// Why so many coefficients are not those of a stencil that there is; nothing if they are.
std::optional<ConfigProblem<StencilSetting>> coefficients_problem(int dims, StencilShape shape, int radius,
                                                                  std::size_t coefficients);

/// The stencils that have kernels, for messages: "a star of radius 1, 2, .. or a box of radius 1".
std::string supported_stencils();

/// One explicit Euler step of the heat equation, `diffusion` = alpha dt / h^2. Star: central differences of
/// order 2 * radius; box: the isotropic 9-point and 27-point Laplacians ([Patra2006]).
Stencil heat_stencil(int dims, StencilShape shape, int radius, double diffusion);

/// A stencil with the user's coefficients, in the order of offsets().
/// @throws UsageError if their number is wrong or the stencil has no kernel
Stencil custom_stencil(int dims, StencilShape shape, int radius, std::vector<double> coefficients);

}  // namespace haloheap::stencil

#endif
