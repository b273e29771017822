// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/stencil/stencil.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>

namespace haloheap::stencil {
namespace {

int nonzero(const grid::Triple& t) {
  return (t.x != 0) + (t.y != 0) + (t.z != 0);
}

// Weights of the box's Laplacian by the number of dimensions in which a neighbour differs.
constexpr double box_2d[] = {-20.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0};
constexpr double box_3d[] = {-128.0 / 30.0, 14.0 / 30.0, 3.0 / 30.0, 1.0 / 30.0};

double laplacian_weight(int dims, StencilShape shape, int radius, const grid::Triple& offset) {
  const int differing = nonzero(offset);
  if (shape == StencilShape::box) return dims == 2 ? box_2d[differing] : box_3d[differing];
  const auto& line = find_stencil(shape, radius)->second_derivative;
  const grid::Index distance = std::abs(offset.x) + std::abs(offset.y) + std::abs(offset.z);
  return distance == 0 ? dims * line[0] : line[static_cast<std::size_t>(distance)];
}

std::string radii(StencilShape shape) {
  std::vector<int> all;
  for (const StencilKind& kind : stencil_table)
    if (kind.shape == shape) all.push_back(kind.radius);
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace

std::vector<grid::Triple> Stencil::offsets() const {
  std::vector<grid::Triple> result;
  const grid::Index depth = dims == 3 ? radius : 0;
  for (grid::Index z = -depth; z <= depth; ++z)
    for (grid::Index y = -radius; y <= radius; ++y)
      for (grid::Index x = -radius; x <= radius; ++x)
        if (shape == StencilShape::box || nonzero({x, y, z}) <= 1) result.push_back({x, y, z});
  return result;
}

bool Stencil::symmetric() const {
  const auto all = offsets();
  for (int dim = 0; dim < dims; ++dim)
    for (std::size_t i = 0; i < all.size(); ++i) {
      grid::Triple mirror = all[i];
      mirror[dim] = -mirror[dim];
      const auto j = static_cast<std::size_t>(std::find(all.begin(), all.end(), mirror) - all.begin());
      if (coefficients[i] != coefficients[j]) return false;
    }
  return true;
}

double Stencil::eigenvalue(const double (&angle)[3]) const {
  const auto all = offsets();
  double sum = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    sum += coefficients[i] * std::cos(angle[0] * static_cast<double>(all[i].x)) *
           std::cos(angle[1] * static_cast<double>(all[i].y)) *
           std::cos(angle[2] * static_cast<double>(all[i].z));
  return sum;
}

bool stencil_supported(int dims, StencilShape shape, int radius) {
  return (dims == 2 || dims == 3) && find_stencil(shape, radius) != nullptr;
}

std::string supported_stencils() {
  return fmt::format("a star of radius {}, or a box of radius {}", radii(StencilShape::star),
                     radii(StencilShape::box));
}

std::size_t stencil_points(int dims, StencilShape shape, int radius) {
  return Stencil{.dims = dims, .shape = shape, .radius = radius, .coefficients = {}}.offsets().size();
}

Stencil heat_stencil(int dims, StencilShape shape, int radius, double diffusion) {
  Stencil stencil{.dims = dims, .shape = shape, .radius = radius, .coefficients = {}};
  for (const grid::Triple& offset : stencil.offsets())
    stencil.coefficients.push_back((nonzero(offset) == 0 ? 1.0 : 0.0) +
                                   diffusion * laplacian_weight(dims, shape, radius, offset));
  return stencil;
}

std::optional<ConfigProblem<StencilSetting>> stencil_problem(int dims, StencilShape shape, int radius) {
  if (stencil_supported(dims, shape, radius)) return std::nullopt;
  return ConfigProblem<StencilSetting>{
      StencilSetting::radius,
      fmt::format("there is no kernel for a {} stencil of radius {} in {}D", name_of(shape), radius, dims),
      "", fmt::format("use {}", supported_stencils())};
}

std::optional<ConfigProblem<StencilSetting>> coefficients_problem(int dims, StencilShape shape, int radius,
                                                                  std::size_t coefficients) {
  const std::size_t points = stencil_points(dims, shape, radius);
  if (coefficients == points) return std::nullopt;
  return ConfigProblem<StencilSetting>{
      StencilSetting::coefficients,
      fmt::format("the {} stencil of radius {} in {}D has {} coefficients, not {}", name_of(shape), radius,
                  dims, points, coefficients),
      "", "give one number a point, lowest z first, then y, then x"};
}

Stencil custom_stencil(int dims, StencilShape shape, int radius, std::vector<double> coefficients) {
  require_none(stencil_problem(dims, shape, radius));
  require_none(coefficients_problem(dims, shape, radius, coefficients.size()));
  return {.dims = dims, .shape = shape, .radius = radius, .coefficients = std::move(coefficients)};
}

}  // namespace haloheap::stencil
