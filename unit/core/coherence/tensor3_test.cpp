// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/unit/core/coherence/functions.hpp>
#include <haloheap/unit/core/coherence/settings.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

namespace haloheap::coherence {
namespace {

struct PlaceInThree {
  KOKKOS_FUNCTION int operator()(ElementIndex plane, ElementIndex row, ElementIndex column) const {
    return static_cast<int>(10000 * plane + 100 * row + column);
  }
};
struct Around {
  KOKKOS_FUNCTION int operator()(const CuboidWindow<int>& w) const {
    return w(-1, 0, 0) + 2 * w(1, 0, 0) + 3 * w(0, -1, 0) + 5 * w(0, 1, 0) + 7 * w(0, 0, -1) +
           11 * w(0, 0, 1);
  }
};
struct AddToCuboid {
  TensorAccessor<int, Context::Exec::memory_space>::Cuboid cuboid;
  int value;
  KOKKOS_FUNCTION void operator()(int i) const {
    const auto rows = static_cast<int>(cuboid.extent(1)), columns = static_cast<int>(cuboid.extent(2));
    cuboid(i / (rows * columns), i / columns % rows, i % columns) += value;
  }
};

using Size = std::array<ElementIndex, 3>;
const std::vector<Size> tensor_sizes{{1, 1, 1}, {1, 4, 5}, {5, 1, 4}, {4, 5, 1}, {3, 4, 5}, {9, 7, 8}};

class CoherenceTensor3 : public testing::TestWithParam<Setting> {
 protected:
  Context context{GetParam().options()};
};

TEST_P(CoherenceTensor3, elements_have_three_indices) {
  for (const auto& [planes, rows, columns] : tensor_sizes) {
    Tensor3<int> t(context, "t", planes, rows, columns);
    map_index(all_devices, "haloheap::test::place", t, PlaceInThree{});
    map(all_devices, "haloheap::test::add_one", t, AddOne{}, t);
    t(planes - 1, rows - 1, columns - 1) += 1000000;
    std::vector<int> expected;
    for (ElementIndex p = 0; p < planes; ++p)
      for (ElementIndex r = 0; r < rows; ++r)
        for (ElementIndex c = 0; c < columns; ++c) expected.push_back(PlaceInThree{}(p, r, c) + 1);
    expected.back() += 1000000;
    EXPECT_EQ(std::vector<int>(t.begin(), t.end()), expected);
    int sum = 0;
    for (const int value : expected) sum += value;
    EXPECT_EQ(reduce(all_devices, "haloheap::test::sum", Sum<int>{}, t), sum);
    EXPECT_EQ(std::as_const(t)(0, rows - 1, 0), expected[static_cast<std::size_t>((rows - 1) * columns)]);
  }
}

TEST_P(CoherenceTensor3, map_overlap_is_a_stencil) {
  for (const auto& [planes, rows, columns] : tensor_sizes) {
    Tensor3<int> in(context, "in", planes, rows, columns), out(context, "out", planes, rows, columns);
    map_index(all_devices, "haloheap::test::place", in, PlaceInThree{});
    map_overlap(all_devices, "haloheap::test::around", out, Around{}, 1, Edge<int>{}, in);
    const auto at = [&](ElementIndex p, ElementIndex r, ElementIndex c) {
      return PlaceInThree{}(std::clamp<ElementIndex>(p, 0, planes - 1),
                            std::clamp<ElementIndex>(r, 0, rows - 1),
                            std::clamp<ElementIndex>(c, 0, columns - 1));
    };
    for (ElementIndex p = 0; p < planes; ++p)
      for (ElementIndex r = 0; r < rows; ++r)
        for (ElementIndex c = 0; c < columns; ++c)
          ASSERT_EQ(std::as_const(out)(p, r, c), at(p - 1, r, c) + 2 * at(p + 1, r, c) + 3 * at(p, r - 1, c) +
                                                     5 * at(p, r + 1, c) + 7 * at(p, r, c - 1) +
                                                     11 * at(p, r, c + 1));
    map_overlap(all_devices, "haloheap::test::around", out, Around{}, 1,
                Edge<int>{Edge<int>::Kind::constant, 1}, in);
    if (planes == 1 && rows == 1) {
      ASSERT_EQ(out[0], 29);
    }
  }
  Tensor3<int> a(context, "a", 2, 3, 4), b(context, "b", 2, 4, 3);
  EXPECT_EQ(
      refusal([&] { map_overlap(all_devices, "haloheap::test::around", a, Around{}, 1, Edge<int>{}, b); }),
      "'a' and 'b' have different shapes\n"
      "  consequence: the call was not made\n"
      "  remedy: use tensors of one shape");
  EXPECT_THROW(map_overlap(all_devices, "haloheap::test::around", a, Around{}, 1, Edge<int>{}, a),
               UsageError);
}

TEST_P(CoherenceTensor3, parts_are_planes_and_rows_of_them) {
  if (context.devices() == 0 || !GetParam().entry().sub_matrices)
    GTEST_SKIP() << "no device, or no such parts";
  Tensor3<int> t(context, "t", 4, 5, 6);
  map_index(all_devices, "haloheap::test::place", t, PlaceInThree{});
  int value = 1000000;
  std::vector<int> expected(t.cbegin(), t.cend());
  for (const Planes& part :
       {Planes{0, 4, 0, 5}, Planes{1, 3, 1, 4}, Planes{2, 4, 3, 5}, Planes{3, 4, 0, 1}}) {
    {
      const auto use = t.read_write(on_device(value % context.devices()), part);
      Kokkos::parallel_for("haloheap::test::add",
                           Kokkos::RangePolicy<Context::Exec>(use.exec(), 0, static_cast<int>(use.size())),
                           AddToCuboid{use.cuboid(), value});
    }
    for (ElementIndex p = part.plane; p < part.plane_end; ++p)
      for (ElementIndex r = part.row; r < part.row_end; ++r)
        for (ElementIndex c = 0; c < 6; ++c) expected[static_cast<std::size_t>((p * 5 + r) * 6 + c)] += value;
    ++value;
  }
  const auto host = t.read({1, 3, 2, 4});
  for (ElementIndex p = 1; p < 3; ++p)
    for (ElementIndex r = 2; r < 4; ++r)
      for (ElementIndex c = 0; c < 6; ++c)
        EXPECT_EQ(host.cuboid()(p - 1, r - 2, c), expected[static_cast<std::size_t>((p * 5 + r) * 6 + c)]);
  EXPECT_EQ(std::vector<int>(t.cbegin(), t.cend()), expected);
}

TEST_P(CoherenceTensor3, what_is_outside_is_refused) {
  Tensor3<int> t(context, "t", 2, 3, 4);
  t.fill(5);
  EXPECT_EQ(refusal([&] {
              (void)t.read({0, 1, 0, 4});
            }),
            "rows [0, 4) of 't' are not among the 3 of a plane");
  EXPECT_EQ(refusal([&] {
              (void)t.read({0, 1, -1, 2});
            }),
            "rows [-1, 2) of 't' are not among the 3 of a plane");
  EXPECT_NE(refusal([&] { (void)t.read(t.some(1, 3)); }), "no error");
  EXPECT_EQ(refusal([&] { t.at(0, 3, 0) = 1; }),
            "element (0, 3, 0) of 't' is not in its 2 planes of 3 rows and 4 columns");
  EXPECT_EQ(t.at(1, 2, 3), 5);
  EXPECT_EQ(refusal([&] { Tensor3<int>(context, "u", 1, -2, -3); }),
            "'u' cannot have 1 planes of -2 rows and -3 columns");
  EXPECT_NE(refusal([&] { Tensor3<int>(context, "u", 1, ElementIndex{1} << 40, ElementIndex{1} << 40); }),
            "no error");
}

TEST_P(CoherenceTensor3, moves_and_swaps_with_its_shape) {
  Tensor3<int> a(context, "a", 2, 3, 4), b(context, "b", 1, 1, 5);
  a.fill(1);
  b.fill(2);
  swap(a, b);
  EXPECT_EQ(a.columns(), 5);
  EXPECT_EQ(std::as_const(b)(1, 2, 3), 1);
  Tensor3<int> c = std::move(b);
  EXPECT_EQ(std::as_const(c)(1, 2, 3), 1);
  EXPECT_EQ(c.rows(), 3);
  Tensor3<int> none(context, "none", 0, 3, 4);
  map(all_devices, "haloheap::test::add_one", none, AddOne{}, none);
  EXPECT_EQ(reduce(all_devices, "haloheap::test::sum", Sum<int>{}, none), 0);
}

INSTANTIATE_TEST_SUITE_P(Settings, CoherenceTensor3, testing::ValuesIn(all_settings()),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace haloheap::coherence
