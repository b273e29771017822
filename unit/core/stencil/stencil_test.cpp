// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/stencil/with_points.hpp>
#include <haloheap/unit/core/stencil/shapes.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace haloheap::stencil {
namespace {

using testing::Shape, testing::shapes;

TEST(Stencil, has_as_many_points_as_its_shape) {
  for (const Shape& kind : shapes) {
    const int side = 2 * kind.radius + 1;
    const int box = kind.dims == 2 ? side * side : side * side * side, star = 1 + 2 * kind.dims * kind.radius;
    const auto points = static_cast<std::size_t>(kind.shape == StencilShape::star ? star : box);
    EXPECT_TRUE(stencil_supported(kind.dims, kind.shape, kind.radius));
    EXPECT_EQ(stencil_points(kind.dims, kind.shape, kind.radius), points);
    EXPECT_EQ(heat_stencil(kind.dims, kind.shape, kind.radius, 0.1).coefficients.size(), points);
  }
}

TEST(Stencil, adds_lowest_z_first_then_y_then_x) {
  const std::vector<grid::Triple> five = {{0, -1, 0}, {-1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_EQ(heat_stencil(2, StencilShape::star, 1, 0.1).offsets(), five);
  const std::vector<grid::Triple> seven = {{0, 0, -1}, {0, -1, 0}, {-1, 0, 0}, {0, 0, 0},
                                           {1, 0, 0},  {0, 1, 0},  {0, 0, 1}};
  EXPECT_EQ(heat_stencil(3, StencilShape::star, 1, 0.1).offsets(), seven);
  for (const Shape& kind : shapes) {
    const auto all = heat_stencil(kind.dims, kind.shape, kind.radius, 0.1).offsets();
    for (std::size_t i = 1; i < all.size(); ++i) {
      const grid::Triple &a = all[i - 1], &b = all[i];
      EXPECT_LT(a.x + 10 * a.y + 100 * a.z, b.x + 10 * b.y + 100 * b.z);
    }
  }
}

TEST(HeatStencil, keeps_a_constant_field_and_is_symmetric) {
  for (const Shape& kind : shapes) {
    const Stencil stencil = heat_stencil(kind.dims, kind.shape, kind.radius, 0.07);
    double sum = 0;
    for (const double c : stencil.coefficients) sum += c;
    EXPECT_NEAR(sum, 1, 1e-14);
    EXPECT_TRUE(stencil.symmetric());
  }
}

TEST(HeatStencil, of_a_box_approximates_the_laplacian) {
  for (const Shape& kind : shapes) {
    if (kind.shape != StencilShape::box) continue;
    const Stencil stencil = heat_stencil(kind.dims, kind.shape, kind.radius, 1);
    const double h = 0.02;
    double angle[3] = {0, 0, 0};
    for (int dim = 0; dim < kind.dims; ++dim) angle[dim] = h * (dim + 1);
    const double squares = kind.dims == 2 ? 5 : 14;
    const double laplacian = (stencil.eigenvalue(angle) - 1) / (h * h);
    EXPECT_NEAR(laplacian, -squares, 1e-2);
    EXPECT_NE(laplacian, -squares);
  }
}

// Of all differences over 2 radius + 1 cells only the one of order 2 radius has these eigenvalues.
TEST(HeatStencil, of_a_star_has_the_central_differences_of_order_two_radius) {
  for (const Shape& kind : shapes) {
    if (kind.shape != StencilShape::star) continue;
    const Stencil stencil = heat_stencil(kind.dims, kind.shape, kind.radius, 1);
    for (const double step : {0.05, 0.4, std::numbers::pi / 3}) {
      double angle[3] = {0, 0, 0}, sum = 0, squares = 0;
      for (int dim = 0; dim < kind.dims; ++dim) {
        angle[dim] = step * (dim + 1);
        sum += testing::second_derivative(kind.radius, angle[dim]);
        squares += angle[dim] * angle[dim];
      }
      EXPECT_NEAR(stencil.eigenvalue(angle) - 1, sum, 1e-13);
      EXPECT_NEAR(sum, -squares, std::pow(step * kind.dims, 2 * kind.radius + 2));
    }
  }
}

// The stencil applied to a plane wave is the wave times the eigenvalue.
TEST(Stencil, eigenvalue_is_what_applying_the_stencil_gives) {
  const double angle[3] = {0.3, 1.1, 0.7}, at[3] = {2, 5, -3};
  for (const Shape& kind : shapes) {
    const Stencil stencil = heat_stencil(kind.dims, kind.shape, kind.radius, 0.09);
    const auto wave = [&](const grid::Triple& offset) {
      double value = 1;
      for (int dim = 0; dim < kind.dims; ++dim)
        value *= std::sin(angle[dim] * (at[dim] + static_cast<double>(offset[dim])) + 0.4);
      return value;
    };
    const auto all = stencil.offsets();
    double sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i) sum += stencil.coefficients[i] * wave(all[i]);
    const double angles[3] = {angle[0], angle[1], kind.dims == 3 ? angle[2] : 0};
    EXPECT_NEAR(sum, stencil.eigenvalue(angles) * wave({}), 1e-14);
  }
}

TEST(Stencil, is_not_symmetric_when_one_coefficient_differs) {
  for (const Shape& kind : shapes) {
    Stencil stencil = heat_stencil(kind.dims, kind.shape, kind.radius, 0.1);
    stencil.coefficients.front() += 0.01;
    EXPECT_FALSE(stencil.symmetric());
    stencil.coefficients.back() +=
        0.01;  // mirrored at the centre, but not in each dimension where there are several
    EXPECT_EQ(stencil.symmetric(), kind.shape == StencilShape::star);
  }
}

TEST(CustomStencil, says_how_many_coefficients_it_wants) {
  try {
    custom_stencil(2, StencilShape::star, 1, {1, 2, 3, 4});
    ADD_FAILURE() << "four coefficients are not five";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "the star stencil of radius 1 in 2D has 5 coefficients, not 4\n"
                 "  remedy: give one number a point, lowest z first, then y, then x");
  }
}

TEST(CustomStencil, names_the_stencils_that_have_kernels) {
  constexpr int too_wide = widest_stencil() + 1;
  try {
    custom_stencil(3, StencilShape::box, 2, std::vector<double>(125, 1));
    ADD_FAILURE() << "there is no such kernel";
  } catch (const UsageError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("there is no kernel for a box stencil of radius 2 in 3D\n"
                        "  remedy: use a star of radius 1, 2, 3, 4"),
              0u)
        << text;
    EXPECT_TRUE(text.ends_with(", or a box of radius 1")) << text;
  }
  EXPECT_THROW(custom_stencil(2, StencilShape::star, too_wide, std::vector<double>(4 * too_wide + 1, 1)),
               UsageError);
  EXPECT_THROW(custom_stencil(2, StencilShape::star, 0, {1}), UsageError);
  EXPECT_THROW(custom_stencil(4, StencilShape::star, 1, std::vector<double>(9, 1)), UsageError);
}

TEST(CustomStencil, names_the_shape_that_was_asked_for) {
  try {
    custom_stencil(2, StencilShape::star, 7, std::vector<double>(29, 1));
    ADD_FAILURE() << "there is no such kernel";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("star stencil of radius 7 in 2D"), std::string::npos)
        << error.what();
  }
}

TEST(StencilPoints, are_the_offsets_of_the_run_time_stencil) {
  for (const Shape& kind : shapes) {
    const Stencil stencil = heat_stencil(kind.dims, kind.shape, kind.radius, 0.1);
    int visited = 0;
    detail::with_points(stencil, [&]<class Points>(Points) {
      ++visited;
      EXPECT_EQ(Points::dims, kind.dims);
      const auto expected = stencil.offsets();
      ASSERT_EQ(static_cast<std::size_t>(Points::count), expected.size());
      for (int i = 0; i < Points::count; ++i)
        EXPECT_EQ(Points::offset(i), expected[static_cast<std::size_t>(i)]);
    });
    EXPECT_EQ(visited, 1);
  }
}

}  // namespace
}  // namespace haloheap::stencil
