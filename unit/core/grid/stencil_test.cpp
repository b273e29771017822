// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/grid/stencil_points.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace haloheap {
namespace {

struct Kind {
  int dims;
  StencilShape shape;
  int radius;
  std::size_t points;
};

const Kind kinds[] = {{2, StencilShape::star, 1, 5}, {3, StencilShape::star, 1, 7},
                      {2, StencilShape::box, 1, 9},  {3, StencilShape::box, 1, 27},
                      {2, StencilShape::star, 2, 9}, {3, StencilShape::star, 2, 13}};

TEST(Stencil, has_as_many_points_as_its_name_says) {
  for (const Kind& kind : kinds) {
    EXPECT_TRUE(stencil_supported(kind.dims, kind.shape, kind.radius));
    EXPECT_EQ(stencil_points(kind.dims, kind.shape, kind.radius), kind.points);
    EXPECT_EQ(heat_stencil(kind.dims, kind.shape, kind.radius, 0.1).coefficients.size(), kind.points);
  }
}

TEST(Stencil, adds_lowest_z_first_then_y_then_x) {
  const std::vector<Triple> five = {{0, -1, 0}, {-1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_EQ(heat_stencil(2, StencilShape::star, 1, 0.1).offsets(), five);
  const std::vector<Triple> seven = {{0, 0, -1}, {0, -1, 0}, {-1, 0, 0}, {0, 0, 0},
                                     {1, 0, 0},  {0, 1, 0},  {0, 0, 1}};
  EXPECT_EQ(heat_stencil(3, StencilShape::star, 1, 0.1).offsets(), seven);
  for (const Kind& kind : kinds) {
    const auto all = heat_stencil(kind.dims, kind.shape, kind.radius, 0.1).offsets();
    for (std::size_t i = 1; i < all.size(); ++i) {
      const Triple &a = all[i - 1], &b = all[i];
      EXPECT_LT(a.x + 10 * a.y + 100 * a.z, b.x + 10 * b.y + 100 * b.z);
    }
  }
}

TEST(HeatStencil, keeps_a_constant_field_and_is_symmetric) {
  for (const Kind& kind : kinds) {
    const Stencil stencil = heat_stencil(kind.dims, kind.shape, kind.radius, 0.07);
    double sum = 0;
    for (const double c : stencil.coefficients) sum += c;
    EXPECT_NEAR(sum, 1, 1e-14);
    EXPECT_TRUE(stencil.symmetric());
  }
}

TEST(HeatStencil, approximates_the_laplacian_to_its_order) {
  for (const Kind& kind : kinds) {
    const Stencil stencil = heat_stencil(kind.dims, kind.shape, kind.radius, 1);
    const double h = 0.02;
    double angle[3] = {0, 0, 0};
    for (int dim = 0; dim < kind.dims; ++dim) angle[dim] = h * (dim + 1);
    const double squares = kind.dims == 2 ? 5 : 14;
    const double laplacian = (stencil.eigenvalue(angle) - 1) / (h * h);
    EXPECT_NEAR(laplacian, -squares, kind.radius == 2 ? 1e-4 : 1e-2);
    EXPECT_NE(laplacian, -squares);
  }
}

// The stencil applied to a plane wave is the wave times the eigenvalue.
TEST(Stencil, eigenvalue_is_what_applying_the_stencil_gives) {
  const double angle[3] = {0.3, 1.1, 0.7}, at[3] = {2, 5, -3};
  for (const Kind& kind : kinds) {
    const Stencil stencil = heat_stencil(kind.dims, kind.shape, kind.radius, 0.09);
    const auto wave = [&](const Triple& offset) {
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
  for (const Kind& kind : kinds) {
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
  try {
    custom_stencil(3, StencilShape::box, 2, std::vector<double>(125, 1));
    ADD_FAILURE() << "there is no such kernel";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "there is no kernel for a box stencil of radius 2 in 3D\n"
                 "  remedy: use a box of radius 1, or a star of radius 1 or 2");
  }
  EXPECT_THROW(custom_stencil(2, StencilShape::star, 3, std::vector<double>(13, 1)), UsageError);
  EXPECT_THROW(custom_stencil(2, StencilShape::star, 0, {1}), UsageError);
  EXPECT_THROW(custom_stencil(4, StencilShape::star, 1, std::vector<double>(9, 1)), UsageError);
}

TEST(CustomStencil, names_the_shape_that_was_asked_for) {
  try {
    custom_stencil(2, StencilShape::star, 3, std::vector<double>(13, 1));
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("star stencil of radius 3 in 2D"), std::string::npos)
        << error.what();
  }
}

template <class Points>
void expect_same(int dims, StencilShape shape, int radius) {
  const auto expected = heat_stencil(dims, shape, radius, 0.1).offsets();
  ASSERT_EQ(static_cast<std::size_t>(Points::count), expected.size());
  for (int i = 0; i < Points::count; ++i) EXPECT_EQ(Points::offset(i), expected[static_cast<std::size_t>(i)]);
}

TEST(StencilPoints, are_the_offsets_of_the_run_time_stencil) {
  expect_same<StencilPoints<2, StencilShape::star, 1>>(2, StencilShape::star, 1);
  expect_same<StencilPoints<3, StencilShape::star, 1>>(3, StencilShape::star, 1);
  expect_same<StencilPoints<2, StencilShape::box, 1>>(2, StencilShape::box, 1);
  expect_same<StencilPoints<3, StencilShape::box, 1>>(3, StencilShape::box, 1);
  expect_same<StencilPoints<2, StencilShape::star, 2>>(2, StencilShape::star, 2);
  expect_same<StencilPoints<3, StencilShape::star, 2>>(3, StencilShape::star, 2);
}

}  // namespace
}  // namespace haloheap
