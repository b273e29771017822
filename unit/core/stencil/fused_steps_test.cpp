// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/unit/core/stencil/boundaries.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>
#include <haloheap/unit/core/stencil/residual_slots.hpp>
#include <haloheap/unit/core/stencil/shapes.hpp>
#include <haloheap/unit/core/stencil/single_steps.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace haloheap::stencil {
namespace {

using namespace testing;
using Kind = grid::BoundaryKind;

/// @param kinds number of a combination of sides, of 5 in each dimension
grid::Boundary boundary_of(int kinds) {
  return make_boundary(kinds % 5, kinds / 5 % 5, kinds / 25 % 5);
}

/// One rank's part of a grid, and how many ghost cells its field has more than the steps need.
struct Setting {
  Shape shape;
  grid::Boundary boundary;
  grid::Triple cells;
  grid::Box own;
  int steps;
  int quantities = 1;
  grid::Index spare = 2;
};

/// Mirroring needs as many cells inside as outside.
bool too_narrow(const Setting& s) {
  for (int dim = 0; dim < s.shape.dims; ++dim)
    for (const Kind kind : {s.boundary.low[dim], s.boundary.high[dim]})
      if (kind == Kind::neumann && s.cells[dim] < s.shape.radius) return true;
  return false;
}

grid::Box whole(const Setting& s) {
  return {{0, 0, 0}, {s.cells.x, s.cells.y, s.shape.dims == 3 ? s.cells.z : 1}};
}

/// The middle part of three in a dimension, or the one at a side.
grid::Box third(const grid::Box& all, const grid::Triple& part) {
  grid::Box own = all;
  for (int dim = 0; dim < 3; ++dim)
    if (all.extent(dim) >= 3) {
      own.lo[dim] = part[dim] * all.extent(dim) / 3;
      own.hi[dim] = (part[dim] + 1) * all.extent(dim) / 3;
    }
  return own;
}

/// The first of always the same random values: most of the time of the tests would go into making new ones.
template <class T>
std::vector<T> some_values(grid::Index count, std::size_t from) {
  static std::vector<T> all;
  const std::size_t end = from + static_cast<std::size_t>(count);
  if (all.size() < end) all = random_values<T>(static_cast<grid::Index>(2 * end), 5);
  return {all.begin() + static_cast<std::ptrdiff_t>(from), all.begin() + static_cast<std::ptrdiff_t>(end)};
}

grid::Box random_box(std::mt19937& generator, const grid::Box& within) {
  grid::Box box{{0, 0, 0}, {1, 1, 1}};
  const auto below = [&](grid::Index n) {
    return static_cast<grid::Index>(generator() % static_cast<unsigned>(n));
  };
  for (int dim = 0; dim < 3; ++dim) {
    box.lo[dim] = within.lo[dim] + below(within.extent(dim));
    box.hi[dim] = box.lo[dim] + 1 + below(within.hi[dim] - box.lo[dim]);
  }
  return box;
}

template <class T>
class FusedStepsOf : public ::testing::Test {
 protected:
  /// All cells that a rank can compute: its own and spare ones of its neighbours.
  static grid::Box reachable(const Setting& s) {
    const grid::Boundary& b = s.boundary;
    const grid::Box inside =
        grid::whole_grid(s.shape.dims, {b.periodic(0), b.periodic(1), b.periodic(2)}, s.cells, s.own);
    return intersect(grid::grown({{0, 0, 0}, layout_of(s).own}, s.shape.dims, s.spare), inside);
  }

  /// One pass over `boxes` against single steps, every element of the result, padding included.
  void check(const Setting& s, const std::vector<grid::Box>& boxes) {
    const Stencil stencil = lopsided(s.shape);
    if (s.steps > max_fused_steps(stencil) || too_narrow(s)) return;
    ++ran_;
    const grid::FieldLayout layout = layout_of(s);
    const StencilKernels<T> kernels(stencil, layout, s.boundary, s.cells, s.own);
    const auto in = poisoned(s, layout, kernels.inside(), boxes), before = some_values<T>(layout.size(), 1);
    const auto from = make_device_array(in), to = make_device_array(before);
    const Kokkos::DefaultExecutionSpace exec;
    const bool sums = kernels.fused_residual() && ran_ % 2 == 0;
    const auto scale = ResidualScale::make(0x1p40, layout.size());
    const grid::Box counted = ran_ % 4 == 0 ? layout.own_box() : part_of(layout.own_box());
    const ResidualSlots slots;
    kernels.run(exec, from.data(), to.data(), boxes, s.steps,
                sums ? slots.target(scale, counted) : ResidualTarget{});
    exec.fence("haloheap::unit::fused_sweep");
    auto expected = before, last = before;
    for (const grid::Box& box : boxes) {
      ASSERT_TRUE(single_steps(stencil, layout, kernels, in, box, s.steps, expected))
          << "the reference used a cell that it must not use: " << describe(s, boxes);
      if (sums) single_steps(stencil, layout, kernels, in, box, s.steps - 1, last);
    }
    EXPECT_EQ(difference(to_host(to), expected), "") << describe(s, boxes);
    EXPECT_EQ(difference(to_host(from), in), "") << describe(s, boxes);
    if (!sums) return;
    EXPECT_EQ(slots.sum(), sum_of_changes(layout, boxes, counted, last, expected, scale))
        << describe(s, boxes) << ", counted " << text(counted);
  }

  void TearDown() override {
    if (ran_ == 0) GTEST_SKIP() << "no stencil has a fused kernel here";
  }

  int ran_ = 0;

 private:
  /// Without some cells at every side.
  static grid::Box part_of(grid::Box box) {
    for (int dim = 0; dim < 3; ++dim) {
      const grid::Index extent = box.extent(dim);
      box.lo[dim] += extent / 3;
      box.hi[dim] -= extent / 5;
    }
    return box;
  }

  static grid::FieldLayout layout_of(const Setting& s) {
    return grid::make_field_layout(s.shape.dims, {s.own.extent(0), s.own.extent(1), s.own.extent(2)},
                                   s.steps * s.shape.radius + s.spare, s.quantities, sizeof(T));
  }

  /// Random values in the cells that the pass may use, and no number anywhere else.
  static std::vector<T> poisoned(const Setting& s, const grid::FieldLayout& layout, const grid::Box& inside,
                                 const std::vector<grid::Box>& boxes) {
    const auto values = some_values<T>(layout.size(), 0);
    std::vector<T> result(values.size(), std::numeric_limits<T>::quiet_NaN());
    for (const grid::Box& box : boxes)
      for (int quantity = 0; quantity < layout.quantities && !box.empty(); ++quantity)
        for_each_cell(intersect(grid::grown(box, s.shape.dims, s.steps * s.shape.radius), inside),
                      [&](const grid::Triple& cell) {
                        const auto at = static_cast<std::size_t>(layout.at(cell, quantity));
                        result[at] = values[at];
                      });
    return result;
  }

  static std::string describe(const Setting& s, const std::vector<grid::Box>& boxes) {
    std::string kinds;
    for (int dim = 0; dim < s.shape.dims; ++dim)
      for (const bool high : {false, true}) kinds += "pdn"[static_cast<int>(s.boundary.side(dim, high))];
    return std::to_string(s.shape.dims) + "D " + (s.shape.shape == StencilShape::star ? "star" : "box") +
           " of radius " + std::to_string(s.shape.radius) + ", " + std::to_string(s.steps) + " steps, " +
           std::to_string(s.quantities) + " quantities, sides " + kinds + ", grid " + text(whole(s)) +
           ", own " + text(s.own) + ", first box " + (boxes.empty() ? "none" : text(boxes.front()));
  }
};

using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(FusedStepsOf, Precisions);

TYPED_TEST(FusedStepsOf, every_boundary_and_number_of_steps_in_two_dimensions) {
  std::mt19937 generator(3);
  for (const Shape& shape : shapes)
    for (int kinds = 0; kinds < 25 && shape.dims == 2; ++kinds)
      for (int steps = 2; steps <= 8; ++steps) {
        Setting s{shape, boundary_of(kinds), {37, 29, 1}, {}, steps, 1 + steps % 2};
        const grid::Index part = (kinds + 2 * steps) % 9;
        s.own = part % 2 == 0 ? whole(s) : third(whole(s), {part % 3, part / 3, 0});
        this->check(s, {this->reachable(s)});
        this->check(s, {random_box(generator, this->reachable(s))});
      }
}

TYPED_TEST(FusedStepsOf, every_boundary_in_three_dimensions) {
  std::mt19937 generator(4);
  for (const Shape& shape : shapes)
    for (int kinds = 0; kinds < 125 && shape.dims == 3; ++kinds) {
      const int steps = 2 + (kinds + kinds / 8) % (shape.radius == 1 ? 7 : 3);
      Setting s{shape, boundary_of(kinds), {13, 9, 8}, {}, steps};
      s.own = kinds % 2 == 0 ? whole(s) : third(whole(s), {kinds % 3, kinds / 3 % 3, kinds / 9 % 3});
      this->check(s, {this->reachable(s)});
      this->check(s, {random_box(generator, this->reachable(s))});
    }
}

TYPED_TEST(FusedStepsOf, grids_of_any_size) {
  std::mt19937 generator(5);
  for (const Shape& shape : shapes)
    for (const grid::Triple& cells : {grid::Triple{1, 1, 1},
                                      {1, 23, 1},
                                      {41, 1, 2},
                                      {2, 2, 2},
                                      {3, 19, 2},
                                      {67, 5, 3},
                                      {1, 2, 31},
                                      {31, 17, 11}})
      for (const int quantities : {1, 3})
        for (int i = 0; i < 4; ++i) {
          Setting s{shape,
                    boundary_of(static_cast<int>(generator() % 125)),
                    cells,
                    {},
                    2 + 2 * i / shape.radius,
                    quantities};
          s.own = whole(s);
          s.spare = i % 2;
          this->check(s, {this->reachable(s)});
          this->check(s, {random_box(generator, this->reachable(s))});
        }
}

TYPED_TEST(FusedStepsOf, grids_larger_than_what_a_thread_takes_at_once) {
  for (const Shape& shape : shapes)
    for (const grid::Triple& cells : {grid::Triple{9001, 13, 1},
                                      {300, 70, 1},
                                      {17, 4001, 1},
                                      {131, 67, 23},
                                      {132, 90, 23},
                                      {18, 20, 131}})
      for (const auto& [kinds, steps] : {std::pair(0, 8), {1 + 5 * 2 + 25 * 3, 4}, {4 + 5 * 4 + 25 * 4, 3}}) {
        if ((shape.dims == 3) != (cells.z > 1)) continue;
        Setting s{shape, boundary_of(kinds), cells, {}, steps, cells.y == 70 ? 3 : 1};
        s.own = whole(s);
        this->check(s, {this->reachable(s)});
      }
}

/// Sides that the pass does not need, but a tile or strip of it sees. In y there are some or none: tiles are
/// computed in another way where a grid is narrow there.
TYPED_TEST(FusedStepsOf, sides_right_behind_the_needed_cells) {
  for (const Shape& shape : shapes)
    for (const int steps : {2, 4})
      for (int gap = 0; gap < 6; ++gap)
        for (const bool high : {false, true})
          for (const int y : {0, 1 + steps % 4}) {
            const grid::Index own = 7, length = own + 2 + steps * shape.radius + gap;
            Setting s{shape,
                      boundary_of(1 + gap % 4 + 5 * y + 25 * (4 - gap % 4)),
                      {length, length, shape.dims == 3 ? length : 1},
                      {},
                      steps};
            s.own = whole(s);
            for (int dim = 0; dim < shape.dims; ++dim)
              (high ? s.own.hi[dim] : s.own.lo[dim]) = high ? own : length - own;
            this->check(s, {this->reachable(s)});
          }
}

TYPED_TEST(FusedStepsOf, lists_of_thin_boxes) {
  for (const Shape& shape : shapes)
    for (int kinds = 0; kinds < 125; kinds += 31)
      for (const int steps : {2, 3}) {
        Setting s{shape, boundary_of(kinds), {45, 31, 11}, {}, steps, 2};
        for (const grid::Index part : {0, 1}) {
          s.own = third(whole(s), {part, part, part});
          const grid::Box all = this->reachable(s);
          this->check(s, subtract(all, grid::grown(all, shape.dims, -1)));
          this->check(
              s, subtract(all, grid::grown({{0, 0, 0}, {15, 10, shape.dims == 3 ? 3 : 1}}, shape.dims, -2)));
        }
      }
}

TYPED_TEST(FusedStepsOf, add_to_a_residual_on_hosts_and_in_two_dimensions) {
  for (const Shape& shape : shapes) {
    const auto layout = grid::make_field_layout(shape.dims, {9, 9, 9}, 9, 1, sizeof(TypeParam));
    EXPECT_EQ(StencilKernels<TypeParam>(lopsided(shape), layout).fused_residual(),
              backend::kernels_on_host || shape.dims == 2);
  }
  ++this->ran_;
}

TYPED_TEST(FusedStepsOf, nothing_to_do_changes_nothing) {
  for (const Shape& shape : shapes) {
    Setting s{shape, boundary_of(0), {9, 9, 9}, {}, 2};
    s.own = whole(s);
    this->check(s, {});
    this->check(s, {grid::Box{}, {{3, 3, 0}, {2, 9, 1}}});
  }
}

TEST(FusedSteps, a_stencil_without_kernels_has_none) {
  Stencil wide = lopsided(shapes[0]);
  wide.radius = widest_stencil() + 1;
  EXPECT_EQ(max_fused_steps(wide), 1);
}

TEST(FusedSteps, a_host_has_a_kernel_for_every_stencil) {
  if (!backend::kernels_on_host) GTEST_SKIP() << "kernels run on a device";
  for (const Shape& shape : shapes) EXPECT_EQ(max_fused_steps(lopsided(shape)), 8);
}

}  // namespace
}  // namespace haloheap::stencil
