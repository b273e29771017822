// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>
#include <haloheap/unit/core/stencil/shapes.hpp>
#include <haloheap/unit/core/stencil/stencil_kernels.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace haloheap::stencil {
namespace {

using namespace testing;

std::string last_kernel;

template <class T>
class SingleStepsOf : public ::testing::Test {
 protected:
  /// Sweeps `boxes` and compares every element of the result, padding included, with a plain loop.
  void check(const Stencil& stencil, const grid::FieldLayout& layout, const std::vector<grid::Box>& boxes,
             bool as_list) {
    const auto in = random_values<T>(layout.size(), 5), before = random_values<T>(layout.size(), 6);
    const auto from = make_device_array(in), to = make_device_array(before);
    const StencilKernels<T> kernels(stencil, layout);
    const Kokkos::DefaultExecutionSpace exec;
    if (as_list)
      kernels.run(exec, from.data(), to.data(), boxes);
    else
      for (const grid::Box& box : boxes) kernels.step(exec, from.data(), to.data(), box);
    exec.fence("haloheap::unit::sweep");

    auto expected = before;
    for (const grid::Box& box : boxes)
      for (int quantity = 0; quantity < layout.quantities; ++quantity)
        for_each_cell(box, [&](const grid::Triple& cell) {
          expected[static_cast<std::size_t>(layout.at(cell, quantity))] =
              naive(stencil, layout, in, cell, quantity);
        });
    EXPECT_EQ(difference(to_host(to), expected), "")
        << stencil.dims << "D, " << stencil.coefficients.size() << " points, " << layout.quantities
        << " quantities, own " << text(layout.own_box()) << ", first box "
        << (boxes.empty() ? "none" : text(boxes.front()));
    EXPECT_EQ(difference(to_host(from), in), "");
  }

  static T naive(const Stencil& stencil, const grid::FieldLayout& layout, const std::vector<T>& in,
                 const grid::Triple& cell, int quantity) {
    const auto offsets = stencil.offsets();
    T sum{};
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const grid::Triple& d = offsets[i];
      const grid::Triple neighbour{cell.x + d.x, cell.y + d.y, cell.z + d.z};
      const T factor = static_cast<T>(stencil.coefficients[i]),
              value = in[static_cast<std::size_t>(layout.at(neighbour, quantity))];
      sum = i == 0 ? factor * value : std::fma(factor, value, sum);
    }
    return sum;
  }

  static grid::Box random_box(std::mt19937& generator, const grid::Box& within) {
    grid::Box box{{0, 0, 0}, {1, 1, 1}};
    for (int dim = 0; dim < 3; ++dim) {
      const auto n = static_cast<unsigned>(within.extent(dim));
      box.lo[dim] = within.lo[dim] + static_cast<grid::Index>(generator() % n);
      box.hi[dim] =
          box.lo[dim] + 1 +
          static_cast<grid::Index>(generator() % static_cast<unsigned>(within.hi[dim] - box.lo[dim]));
    }
    return box;
  }
};

using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(SingleStepsOf, Precisions);

TYPED_TEST(SingleStepsOf, any_box_of_any_size_is_what_a_plain_loop_gives) {
  std::mt19937 generator(11);
  for (const Shape& shape : shapes)
    for (const int quantities : {1, 3})
      for (const grid::Triple own :
           {grid::Triple{37, 29, 5}, {1, 23, 4}, {41, 1, 1}, {1, 1, 1}, {64, 8, 2}, {70, 5, 67}}) {
        const grid::Index halo = 3 * shape.radius;
        const grid::Triple size{own.x, own.y, shape.dims == 3 ? own.z : 1};
        const auto layout = grid::make_field_layout(shape.dims, size, halo, quantities, sizeof(TypeParam));
        const grid::Box all = grown(layout.own_box(), shape.dims, halo - shape.radius);
        this->check(lopsided(shape), layout, {all}, false);
        if (own.z > 60) continue;  // large enough for one
        this->check(lopsided(shape), layout, {layout.own_box()}, false);
        for (int i = 0; i < 4; ++i)
          this->check(lopsided(shape), layout, {this->random_box(generator, all)}, false);
      }
}

TYPED_TEST(SingleStepsOf, thin_boxes_on_every_side) {
  for (const Shape& shape : shapes) {
    const grid::Triple own{33, 18, shape.dims == 3 ? 6 : 1};
    const auto layout = grid::make_field_layout(shape.dims, own, shape.radius + 3, 2, sizeof(TypeParam));
    const grid::Box all = grown(layout.own_box(), shape.dims, 3);
    for (int dim = 0; dim < shape.dims; ++dim)
      for (const grid::Index at : {all.lo[dim], grid::Index{0}, own[dim] / 2, all.hi[dim] - 1}) {
        grid::Box thin = all;
        thin.lo[dim] = at;
        thin.hi[dim] = at + 1;
        this->check(lopsided(shape), layout, {thin}, false);
      }
  }
}

/// Hosts compute whole cache lines, and the cells before and behind them as lines of their own.
TYPED_TEST(SingleStepsOf, rows_begin_and_end_anywhere_in_a_cache_line) {
  constexpr grid::Index line = 64 / sizeof(TypeParam);
  const Shape& shape = shapes[0];
  const auto layout =
      grid::make_field_layout(shape.dims, {5 * line, 3, 1}, shape.radius, 1, sizeof(TypeParam));
  for (grid::Index begin = 0; begin < line; ++begin)
    for (grid::Index cells = 2 * line - 2; cells <= 3 * line + 2; ++cells)
      this->check(lopsided(shape), layout, {{{begin, 0, 0}, {begin + cells, 2, 1}}}, false);
}

TYPED_TEST(SingleStepsOf, several_boxes_in_one_call) {
  for (const Shape& shape : shapes) {
    const grid::Triple own{35, 21, shape.dims == 3 ? 7 : 1};
    const auto layout = grid::make_field_layout(shape.dims, own, shape.radius + 3, 3, sizeof(TypeParam));
    const grid::Box all = grown(layout.own_box(), shape.dims, 3),
                    inner = grown(layout.own_box(), shape.dims, -2);
    this->check(lopsided(shape), layout, subtract(all, inner), true);
    this->check(lopsided(shape), layout, {all}, true);
    std::vector<grid::Box> rows;  // more than one launch can take
    for (grid::Index y = all.lo.y; y < all.hi.y; y += 2)
      rows.push_back({{all.lo.x, y, all.lo.z}, {all.hi.x - (y + 4) % 3, y + 1, all.hi.z}});
    this->check(lopsided(shape), layout, rows, true);
  }
}

TYPED_TEST(SingleStepsOf, nothing_to_do_changes_nothing) {
  for (const Shape& shape : shapes) {
    const auto layout =
        grid::make_field_layout(shape.dims, {9, 9, shape.dims == 3 ? 9 : 1}, 2, 1, sizeof(TypeParam));
    this->check(lopsided(shape), layout, {}, true);
    this->check(lopsided(shape), layout, {grid::Box{}}, true);
    this->check(lopsided(shape), layout, {grid::Box{{3, 3, 0}, {2, 9, 1}}}, false);
  }
}

/// A kernel of one cell a thread reads memory several times where caches do not help: of 27 points a third of
/// the speed.
TYPED_TEST(SingleStepsOf, one_box_has_a_kernel_that_reads_memory_once) {
  namespace tools = Kokkos::Tools::Experimental;
  const tools::EventSet before = tools::get_callbacks();
  tools::set_begin_parallel_for_callback(
      [](const char* label, std::uint32_t, std::uint64_t*) { last_kernel = label; });
  for (const Shape& shape : shapes) {
    const auto layout = grid::make_field_layout(shape.dims, {64, 9, shape.dims == 3 ? 9 : 1}, shape.radius, 1,
                                                sizeof(TypeParam));
    this->check(lopsided(shape), layout, {layout.own_box()}, false);
    const int widest_in_planes = sizeof(TypeParam) == 4 ? 3 : 2;
    const bool march =
        shape.shape == StencilShape::star && (shape.radius == 1 || shape.radius > widest_in_planes);
    EXPECT_EQ(last_kernel, backend::kernels_on_host ? "haloheap::stencil::sweep_rows"
                           : shape.dims == 2        ? "haloheap::stencil::sweep_tiles"
                           : march                  ? "haloheap::stencil::sweep_march"
                                                    : "haloheap::stencil::sweep_planes");
  }
  tools::set_callbacks(before);
}

TYPED_TEST(SingleStepsOf, a_stencil_without_a_kernel_is_refused) {
  Stencil stencil = lopsided(shapes[0]);
  stencil.radius = widest_stencil() + 1;
  EXPECT_THROW(computation_of<TypeParam>(stencil, {}), UsageError);
}

}  // namespace
}  // namespace haloheap::stencil
