// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/stencil/reference.hpp>
#include <haloheap/core/stencil/residual_kernels.hpp>
#include <haloheap/core/stencil/sweep_kernels.hpp>
#include <haloheap/core/stencil/sweep_march.hpp>
#include <haloheap/core/stencil/sweep_tiles.hpp>
#include <haloheap/core/stencil/with_points.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>
#include <haloheap/unit/core/stencil/residual_slots.hpp>
#include <haloheap/unit/core/stencil/shapes.hpp>
#include <haloheap/unit/core/stencil/stencil_kernels.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace haloheap::stencil {
namespace {

using namespace testing;
using Exec = Kokkos::DefaultExecutionSpace;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

ResidualSum operator+(ResidualSum a, const ResidualSum& b) {
  for (int part = 0; part < residual_parts; ++part) a.part[part] += b.part[part];
  return a;
}

std::string text(const ResidualSum& sum) {
  std::string result;
  for (const double part : sum.part) result += std::to_string(part) + " ";
  return result;
}

template <class Call>
std::string message(Call&& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ResidualScale, quanta_are_powers_of_two_and_leave_room_for_all_terms) {
  for (const double bound : {1.0, 3e-5, 7e200, 1e-200, 4.0, 0x1p-900})
    for (const grid::Index terms : {grid::Index{1}, grid::Index{2}, grid::Index{1000}, grid::Index{1} << 30,
                                    (grid::Index{1} << 30) + 1, grid::Index{1} << 45}) {
      const auto scale = ResidualScale::make(bound, terms);
      const auto n = static_cast<double>(terms);
      int exponent = 0;
      for (int part = 0; part < residual_parts; ++part) {
        EXPECT_EQ(std::frexp(scale.quantum(part), &exponent), 0.5);
        EXPECT_GE(scale.quantum(part), 0x1p-1000);
        EXPECT_EQ(scale.pivot[part] + scale.quantum(part) - scale.pivot[part], scale.quantum(part));
      }
      EXPECT_LE(n * (bound + scale.quantum(0)), scale.limit);
      EXPECT_LE(scale.limit, 0x1p51 * scale.quantum(0));
      EXPECT_LE(n * scale.quantum(0), 0x1p51 * scale.quantum(1));
      EXPECT_LE(n * scale.quantum(1), 0x1p51 * scale.quantum(2));
      if (bound > 1e-150) {
        EXPECT_LE(scale.quantum(2), 8 * bound * std::pow(n, 3) * 0x1p-149);
      }
    }
}

TEST(ResidualScale, refuses_what_cannot_be_summed) {
  for (const double bound : {0.0, -1.0, infinity, not_a_number, 5e-324, 1e-310, 1e300})
    EXPECT_THROW(ResidualScale::make(bound, 10), UsageError) << bound;
  EXPECT_EQ(message([] { ResidualScale::make(-1, 10); }),
            "the bound of the squared residual is -1\n"
            "  consequence: the residual norm cannot be summed exactly\n"
            "  remedy: scale the field so that the bound is within 2^-900 and 2^900");
  for (const grid::Index terms : {grid::Index{0}, grid::Index{-5}, grid::Index{1} << 46})
    EXPECT_THROW(ResidualScale::make(1, terms), UsageError) << terms;
  EXPECT_EQ(message([] { ResidualScale::make(1, 0); }),
            "a residual norm of 0 terms\n"
            "  consequence: it cannot be summed exactly\n"
            "  remedy: use 1 to 35184372088832 cells");
}

TEST(ResidualBound, is_safe_for_stencils_that_do_not_grow) {
  const grid::Boundary periodic;
  grid::Boundary hot{.value = -5};
  hot.low[1] = grid::BoundaryKind::dirichlet;
  for (const Shape& shape : shapes) {
    const Stencil stencil = heat_stencil(shape.dims, shape.shape, shape.radius, 0.1);
    EXPECT_EQ(residual_bound(stencil, periodic, 1), 16);
    EXPECT_EQ(residual_bound(stencil, periodic, -3), 9 * 16);
    EXPECT_EQ(residual_bound(stencil, hot, 3), 25 * 16);
    EXPECT_GT(residual_bound(stencil, periodic, 0), 0);
    EXPECT_THROW(residual_bound(heat_stencil(shape.dims, shape.shape, shape.radius, 2), periodic, 1),
                 UsageError);
  }
  for (const Shape& shape : shapes) {
    if (shape.shape != StencilShape::star) continue;
    // The fastest of all waves has alternating signs in every dimension, and must not grow beyond -1.
    const double maximum = -2 / (shape.dims * testing::second_derivative(shape.radius, std::numbers::pi));
    const auto bound = [&](double diffusion) {
      return residual_bound(heat_stencil(shape.dims, shape.shape, shape.radius, diffusion), periodic, 1);
    };
    EXPECT_EQ(bound(0.9999 * maximum), 16);
    EXPECT_THROW(bound(1.0001 * maximum), UsageError);
  }
  EXPECT_EQ(message([&] { residual_bound(heat_stencil(2, StencilShape::star, 1, 0.5), periodic, 1); }),
            "one step of the stencil can multiply values by 3\n"
            "  consequence: the residual has no bound, which its exact sum needs\n"
            "  remedy: use a smaller diffusion coefficient, or switch the residual off");
  grid::Boundary unused{.value = 100};  // in a dimension that the grid does not have
  unused.low[2] = grid::BoundaryKind::dirichlet;
  EXPECT_EQ(residual_bound(heat_stencil(2, StencilShape::star, 1, 0.1), unused, 1), 16);
  // Lopsided, so that only magnitudes can tell.
  EXPECT_EQ(residual_bound(custom_stencil(2, StencilShape::star, 1, {0.5, 0, 0, 0, -0.5}), periodic, 1), 16);
  EXPECT_THROW(residual_bound(custom_stencil(2, StencilShape::star, 1, {0.7, 0, 0, 0, -0.5}), periodic, 1),
               UsageError);
  EXPECT_THROW(
      ResidualScale::make(residual_bound(heat_stencil(2, StencilShape::star, 1, 0.1), periodic, infinity), 1),
      UsageError);
}

/// Sums of squares as one thread has them.
ResidualSum sum_of(const std::vector<double>& squares, const ResidualScale& scale) {
  double first = scale.pivot[0], second = scale.pivot[1], third = scale.pivot[2];
  for (const double square : squares) detail::add_square(first, second, third, square);
  return {first - scale.pivot[0], second - scale.pivot[1], third - scale.pivot[2]};
}

TEST(ResidualSum, does_not_depend_on_the_order) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> exponents(-70, 0), values(1, 2);
  const grid::Index terms = 5000;
  const auto scale = ResidualScale::make(1, terms);
  std::vector<double> squares;
  for (grid::Index i = 0; i < terms - 60; ++i)
    squares.push_back(values(generator) * std::exp2(exponents(generator)) / 2);
  // What sums round differently, were they to round: halves of quanta, ties, nothing.
  for (const double part : {scale.quantum(0), scale.quantum(1), scale.quantum(2)})
    for (const double times : {0.5, 1.5, 1.0, 0.25, 2.5})
      for (int n = 0; n < 3; ++n) squares.push_back(times * part);
  squares.insert(squares.end(), {0.0, 0.0, 1.0, 5e-324});
  const ResidualSum expected = sum_of(squares, scale);
  for (int round = 0; round < 50; ++round) {
    std::shuffle(squares.begin(), squares.end(), generator);
    EXPECT_EQ(sum_of(squares, scale), expected);
    const auto middle = squares.begin() + static_cast<std::ptrdiff_t>(generator() % squares.size());
    EXPECT_EQ(sum_of({squares.begin(), middle}, scale) + sum_of({middle, squares.end()}, scale), expected);
  }
  // A plain sum does: the numbers are fit for the purpose.
  const double plain = std::accumulate(squares.begin(), squares.end(), 0.0);
  std::sort(squares.begin(), squares.end());
  EXPECT_NE(plain, std::accumulate(squares.begin(), squares.end(), 0.0));
}

// The compiler must not take (sum + x) - sum for x: then the first part would hold more than its quantum.
TEST(ResidualSum, parts_are_multiples_of_their_quanta) {
  const auto scale = ResidualScale::make(1, 1 << 20);
  for (const double square : random_values<double>(1000, 4)) {
    const ResidualSum sum = sum_of({square * square}, scale);
    for (int part = 0; part < residual_parts; ++part)
      EXPECT_EQ(std::fmod(sum.part[part], scale.quantum(part)), 0) << part;
    EXPECT_LE(std::abs(sum.part[1]), scale.quantum(0) / 2);
    EXPECT_LE(std::abs(sum.part[2]), scale.quantum(1) / 2);
    EXPECT_LE(std::abs(scale.value(sum) - square * square), scale.quantum(2) + 0x1p-52 * square * square);
  }
}

TEST(ResidualSum, is_visibly_wrong_beyond_the_bound) {
  const auto scale = ResidualScale::make(1, 100);
  EXPECT_EQ(scale.value({1, 0, 0}), 1);
  EXPECT_TRUE(std::isnan(scale.value({not_a_number, 0, 0})));
  EXPECT_TRUE(std::isnan(scale.value({infinity, 0, 0})));
  EXPECT_TRUE(std::isnan(scale.value({1000, 0, 0})));
  EXPECT_TRUE(std::isnan(scale.value({1, not_a_number, 0})));
}

template <class T>
class ResidualOf : public ::testing::Test {
 protected:
  /// Sum of all slots after the sweeps, which have to leave the field as sweeps without residual do.
  static ResidualSum run(const Stencil& stencil, const grid::FieldLayout& layout,
                         const std::vector<grid::Box>& boxes, bool as_list, const ResidualScale& scale,
                         const grid::Box& counted, const std::vector<T>& in, const Exec& exec = Exec()) {
    const auto from = make_device_array(in), to = make_device_array(std::vector<T>(in.size(), T{7})),
               plain = make_device_array(std::vector<T>(in.size(), T{7}));
    const ResidualSlots slots;
    const StencilKernels<T> kernels(stencil, layout);
    const ResidualTarget target = slots.target(scale, counted);
    exec.fence("haloheap::unit::fields");
    if (as_list) {
      kernels.run(exec, from.data(), to.data(), boxes, 1, target);
      kernels.run(exec, from.data(), plain.data(), boxes);
    } else {
      for (const grid::Box& box : boxes) {
        kernels.step(exec, from.data(), to.data(), box, target);
        kernels.step(exec, from.data(), plain.data(), box);
      }
    }
    exec.fence("haloheap::unit::sweep");
    EXPECT_EQ(difference(to_host(to), to_host(plain)), "");
    return slots.sum();
  }

  /// The same by a plain loop over the cells that are in a box and in `counted`.
  static ResidualSum expected(const Stencil& stencil, const grid::FieldLayout& layout,
                              const std::vector<grid::Box>& boxes, const ResidualScale& scale,
                              const grid::Box& counted, const std::vector<T>& in) {
    const auto from = make_device_array(in), to = make_device_array(in);
    const Exec exec;
    const StencilKernels<T> kernels(stencil, layout);
    for (const grid::Box& box : boxes) kernels.step(exec, from.data(), to.data(), box);
    exec.fence("haloheap::unit::sweep");
    return sum_of_changes(layout, boxes, counted, in, to_host(to), scale);
  }

  static void check(const Stencil& stencil, const grid::FieldLayout& layout,
                    const std::vector<grid::Box>& boxes, bool as_list, const grid::Box& counted) {
    const auto in = random_values<T>(layout.size(), 5);
    const auto scale = ResidualScale::make(16, layout.size());
    const auto got = run(stencil, layout, boxes, as_list, scale, counted, in),
               wanted = expected(stencil, layout, boxes, scale, counted, in);
    EXPECT_EQ(got, wanted) << text(got) << "not " << text(wanted) << stencil.dims << "D, "
                           << stencil.coefficients.size() << " points, own "
                           << testing::text(layout.own_box()) << ", first box "
                           << testing::text(boxes.front()) << ", counted " << testing::text(counted);
  }

  static Stencil heat(const Shape& shape) {
    return heat_stencil(shape.dims, shape.shape, shape.radius, 0.07);
  }
};

using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ResidualOf, Precisions);

TYPED_TEST(ResidualOf, any_box_counts_what_a_plain_loop_counts) {
  for (const Shape& shape : shapes)
    for (const int quantities : {1, 3})
      for (const grid::Triple own :
           {grid::Triple{37, 29, 5}, {1, 23, 4}, {41, 1, 1}, {70, 5, 67}, {2100, 3, 1}}) {
        const grid::Index halo = 3 * shape.radius;
        const grid::Triple size{own.x, own.y, shape.dims == 3 ? own.z : 1};
        const auto layout = grid::make_field_layout(shape.dims, size, halo, quantities, sizeof(TypeParam));
        const Stencil stencil = this->heat(shape);
        const grid::Box counted = layout.own_box(), all = grown(counted, shape.dims, halo - shape.radius);
        this->check(stencil, layout, {counted}, false, counted);
        this->check(stencil, layout, {all}, false, counted);
        this->check(stencil, layout, {all}, true, counted);
        grid::Box shifted = counted;  // partly outside, and ragged
        shifted.lo.x -= 1;
        shifted.hi.x = (counted.hi.x + 1) / 2 + 1;
        shifted.lo.y += own.y / 3;
        this->check(stencil, layout, {shifted}, false, counted);
        this->check(stencil, layout, {shifted}, true, counted);
        this->check(stencil, layout, {all}, false, shifted);
      }
}

/// Runs a kernel as a plain loop on the host, whatever it was made for.
template <class Kernel>
ResidualSum run_on_host(const Kernel& kernel, grid::Index iterations, const std::vector<double>& slots) {
  for (grid::Index i = 0; i < iterations; ++i) kernel(i);
  ResidualSum sum;
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (i % residual_slot_stride < residual_parts) sum.part[i % residual_slot_stride] += slots[i];
  return sum;
}

TYPED_TEST(ResidualOf, every_kernel_counts_alike) {
  using T = TypeParam;
  constexpr int width = 16 / sizeof(T);
  for (const Shape& shape : shapes)
    for (const grid::Triple own : {grid::Triple{37, 29, 5}, {1, 23, 4}, {41, 1, 1}, {64, 16, 70}}) {
      const int dims = shape.dims;
      const auto layout = grid::make_field_layout(dims, {own.x, own.y, dims == 3 ? own.z : 1},
                                                  shape.radius + 2, 2, sizeof(T));
      const Stencil stencil = this->heat(shape);
      const auto in = random_values<T>(layout.size(), 5);
      const auto scale = ResidualScale::make(16, layout.size());
      std::vector<T> out(in.size());
      grid::Box counted = layout.own_box();
      counted.hi.x -= own.x / 5;
      for (const grid::Box& box :
           {layout.own_box(), grown(layout.own_box(), dims, 1), grown(layout.own_box(), dims, 2)}) {
        const auto expected = this->expected(stencil, layout, {box}, scale, counted, in);
        std::vector<double> slots(residual_slots * residual_slot_stride, 0);
        const detail::ResidualTally residual({slots.data(), scale, intersect(box, counted)});
        detail::with_points(stencil, [&]<class Points>(Points) {
          using Rule = detail::Linear<T, Points>;
          const Rule rule(stencil);
          const grid::BoxList list(std::span<const grid::Box>(&box, 1));
          const detail::CellSweep<Rule, detail::ResidualTally> cells{in.data(), out.data(), layout,  rule,
                                                                     {},        list,       residual};
          EXPECT_EQ(run_on_host(cells, list.cells() * layout.quantities, slots), expected);
          std::fill(slots.begin(), slots.end(), 0);
          if constexpr (Points::dims == 2) {
            using Tiles = detail::TileSweep<Rule, width, 8, detail::ResidualTally>;
            const typename Tiles::Tiles tiles(box);
            const Tiles kernel{in.data(), out.data(), layout.origin, layout.pitch, layout.quantity_size,
                               rule,      {},         tiles,         residual};
            EXPECT_EQ(run_on_host(kernel, grid::Index{tiles.columns} * tiles.rows * layout.quantities, slots),
                      expected);
          } else {
            using March =
                std::conditional_t<Points::star, detail::MarchSweep<Rule, width, 2, detail::ResidualTally>,
                                   detail::BoxMarchSweep<Rule, width, 2, detail::ResidualTally>>;
            const typename March::Tiles tiles(box);
            const auto chunks = static_cast<unsigned>((box.extent(2) + 31) / 32);
            const March kernel{{in.data(),
                                out.data(),
                                layout.origin,
                                layout.pitch,
                                layout.plane,
                                layout.quantity_size,
                                rule,
                                {},
                                tiles,
                                static_cast<int>(box.lo.z),
                                static_cast<int>(box.hi.z),
                                32,
                                chunks,
                                residual}};
            EXPECT_EQ(
                run_on_host(kernel, grid::Index{tiles.columns} * tiles.rows * chunks * layout.quantities,
                            slots),
                expected);
          }
        });
      }
    }
}

TYPED_TEST(ResidualOf, the_sum_does_not_depend_on_how_a_step_is_split) {
  for (const Shape& shape : shapes) {
    const grid::Triple own{43, 31, shape.dims == 3 ? 9 : 1};
    const auto layout = grid::make_field_layout(shape.dims, own, shape.radius + 3, 2, sizeof(TypeParam));
    const Stencil stencil = this->heat(shape);
    const grid::Box all = grown(layout.own_box(), shape.dims, 3), counted = layout.own_box();
    const auto in = random_values<TypeParam>(layout.size(), 8);
    const auto scale = ResidualScale::make(16, 2 * counted.cells());
    const auto whole = this->run(stencil, layout, {counted}, false, scale, counted, in);
    EXPECT_GT(scale.value(whole), 0);

    grid::Box inner = counted;
    for (int dim = 0; dim < shape.dims; ++dim) {
      inner.lo[dim] += 3;
      inner.hi[dim] -= 4;
    }
    std::vector<grid::Box> parts = subtract(all, inner);
    const auto frame = this->run(stencil, layout, parts, true, scale, counted, in),
               core = this->run(stencil, layout, {inner}, false, scale, counted, in);
    EXPECT_EQ(frame + core, whole);
    parts.push_back(inner);
    EXPECT_EQ(this->run(stencil, layout, parts, false, scale, counted, in), whole);

    std::vector<grid::Box> columns;
    for (grid::Index x = all.lo.x; x < all.hi.x; x += 5)
      columns.push_back({{x, all.lo.y, all.lo.z}, {std::min(x + 5, all.hi.x), all.hi.y, all.hi.z}});
    EXPECT_EQ(this->run(stencil, layout, columns, false, scale, counted, in), whole);

    ResidualSum of_halves;  // as if each were counted by another rank
    for (grid::Box half : {counted, counted}) {
      (of_halves == ResidualSum{} ? half.hi.y : half.lo.y) = 17;
      of_halves = of_halves + this->run(stencil, layout, {all}, false, scale, half, in);
    }
    EXPECT_EQ(of_halves, whole);
  }
}

TYPED_TEST(ResidualOf, the_sum_does_not_depend_on_the_number_of_threads) {
  const auto layout = grid::make_field_layout(2, {301, 203, 1}, 1, 1, sizeof(TypeParam));
  const auto in = random_values<TypeParam>(layout.size(), 9);
  const auto scale = ResidualScale::make(16, layout.size());
  const Stencil stencil = this->heat(shapes[0]);
  const grid::Box own = layout.own_box();
  const auto whole = this->run(stencil, layout, {own}, false, scale, own, in);
  if (Exec().concurrency() > 1) {
    for (const Exec& part : Kokkos::Experimental::partition_space(Exec(), 1, 1))
      EXPECT_EQ(this->run(stencil, layout, {own}, false, scale, own, in, part), whole);
  }
  for (int again = 0; again < 10; ++again)
    EXPECT_EQ(this->run(stencil, layout, {own}, false, scale, own, in), whole);
}

TYPED_TEST(ResidualOf, its_value_is_the_sum_of_squares) {
  for (const double amplitude : {1.0, 1e-3, 1e-6}) {  // the residual falls, the scale stays
    const auto layout = grid::make_field_layout(2, {150, 110, 1}, 1, 1, sizeof(TypeParam));
    auto in = random_values<TypeParam>(layout.size(), 10);
    for (TypeParam& value : in) value *= static_cast<TypeParam>(amplitude);
    const auto scale = ResidualScale::make(16, grid::Index{1} << 24);
    const Stencil stencil = this->heat(shapes[0]);
    const grid::Box own = layout.own_box();
    const auto got = this->run(stencil, layout, {own}, false, scale, own, in);

    const auto from = make_device_array(in), to = make_device_array(in);
    const Exec exec;
    StencilKernels<TypeParam>(stencil, layout).step(exec, from.data(), to.data(), own);
    exec.fence("haloheap::unit::sweep");
    const auto out = to_host(to);
    long double sum = 0;
    for_each_cell(own, [&](const grid::Triple& cell) {
      const auto at = static_cast<std::size_t>(layout.at(cell));
      const long double change = static_cast<TypeParam>(out[at] - in[at]);  // rounded as the field is
      sum += change * change;
    });
    const double lost = scale.quantum(2) / 2 * static_cast<double>(own.cells());
    EXPECT_NEAR(scale.value(got), static_cast<double>(sum), lost + 1e-12 * static_cast<double>(sum))
        << amplitude;
    EXPECT_LT(lost, 1e-7 * static_cast<double>(sum)) << amplitude;
  }
}

TYPED_TEST(ResidualOf, one_bit_of_one_cell_shows) {
  const auto layout = grid::make_field_layout(2, {64, 40, 1}, 1, 1, sizeof(TypeParam));
  auto in = random_values<TypeParam>(layout.size(), 11);
  const auto scale = ResidualScale::make(16, layout.size());
  const Stencil all_zero = custom_stencil(2, StencilShape::star, 1, {0, 0, 0, 0, 0});
  const grid::Box own = layout.own_box();
  const auto right = this->run(all_zero, layout, {own}, false, scale, own, in);
  for (const grid::Triple cell : {grid::Triple{0, 0, 0}, {63, 39, 0}, {17, 20, 0}}) {
    auto wrong = in;
    TypeParam& value = wrong[static_cast<std::size_t>(layout.at(cell))];
    value = std::nextafter(value, TypeParam{2});
    EXPECT_NE(this->run(all_zero, layout, {own}, false, scale, own, wrong), right) << cell.x << " " << cell.y;
  }
}

TYPED_TEST(ResidualOf, values_that_are_no_numbers_or_too_large_make_the_sum_nan) {
  for (const Shape& shape : shapes) {
    const auto layout = grid::make_field_layout(shape.dims, {70, 33, shape.dims == 3 ? 4 : 1},
                                                1 + shape.radius, 1, sizeof(TypeParam));
    const grid::Box own = layout.own_box(), all = grown(own, shape.dims, 1);
    const auto scale = ResidualScale::make(1, own.cells());
    for (const double bad : {not_a_number, infinity, -infinity, 1e6, 1e15, 1e18})
      for (const grid::Triple cell : {grid::Triple{0, 0, 0}, {69, 32, 0}, {33, 7, 0}}) {
        std::vector<TypeParam> in(static_cast<std::size_t>(layout.size()), TypeParam{0.25});
        in[static_cast<std::size_t>(layout.at(cell))] = static_cast<TypeParam>(bad);
        for (const bool as_list : {false, true})
          EXPECT_TRUE(
              std::isnan(scale.value(this->run(this->heat(shape), layout, {all}, as_list, scale, own, in))))
              << bad << " at " << cell.x;
      }
    // Ghost cells do not count: what only they hold does not show.
    std::vector<TypeParam> in(static_cast<std::size_t>(layout.size()), TypeParam{0.25});
    in[static_cast<std::size_t>(layout.at({-2, -2, 0}))] = static_cast<TypeParam>(not_a_number);
    const auto sum = this->run(this->heat(shape), layout, {all}, false, scale, own, in);
    EXPECT_LT(scale.value(sum), 1e-9);
  }
}

TYPED_TEST(ResidualOf, a_single_square_beyond_the_bound_is_right_while_the_sum_is_not) {
  const auto layout = grid::make_field_layout(2, {64, 64, 1}, 1, 1, sizeof(TypeParam));
  const auto scale = ResidualScale::make(1, product(layout.own));
  std::vector<TypeParam> in(static_cast<std::size_t>(layout.size()), 0);
  in[static_cast<std::size_t>(layout.at({5, 5, 0}))] = 32;
  const Stencil stencil = custom_stencil(2, StencilShape::star, 1, {0, 0, 0, 0, 0});
  const grid::Box own = layout.own_box();
  EXPECT_DOUBLE_EQ(scale.value(this->run(stencil, layout, {own}, false, scale, own, in)), 1024);
}

}  // namespace
}  // namespace haloheap::stencil
