// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/coherence/matrix.hpp>
#include <haloheap/unit/core/coherence/settings.hpp>

#include <gtest/gtest.h>

namespace haloheap::coherence {
namespace {

struct AddTo {
  DeviceAccessor<int>::Tile tile;
  int value;
  KOKKOS_FUNCTION void operator()(int i) const {
    const auto columns = static_cast<int>(tile.extent(1));
    tile(i / columns, i % columns) += value;
  }
};

void add(Matrix<int>& matrix, Place place, const Rect& rect, int value) {
  const auto part = matrix.read_write(place, rect);
  Kokkos::parallel_for("haloheap::test::add",
                       Kokkos::RangePolicy<Context::Exec>(part.exec(), 0, static_cast<int>(rect.elements())),
                       AddTo{part.tile(), value});
}

class CoherenceMatrix : public testing::TestWithParam<Setting> {
 protected:
  Context context{GetParam().options()};

  bool has_sub_matrices() const { return GetParam().entry().sub_matrices; }
};

TEST_P(CoherenceMatrix, overlapping_sub_matrices_on_several_devices) {
  if (context.devices() == 0 || !has_sub_matrices()) GTEST_SKIP() << "no device, or no sub-matrices";
  Matrix<int> m(context, "m", 6, 7);
  m.fill(0);
  std::vector<int> expected(42);
  const std::vector<Rect> rects{{0, 6, 0, 7}, {1, 4, 2, 5}, {3, 6, 0, 3}, {0, 1, 6, 7},
                                {2, 3, 0, 7}, {0, 6, 3, 4}, {1, 5, 1, 6}};
  int value = 1;
  for (int round = 0; round < 3; ++round) {
    for (const Rect& rect : rects) {
      add(m, on_device(value % context.devices()), rect, value);
      for (ElementIndex r = rect.row; r < rect.row_end; ++r)
        for (ElementIndex c = rect.column; c < rect.column_end; ++c)
          expected[static_cast<std::size_t>(r * 7 + c)] += value;
      ++value;
      m(2, 3) += 1;
      expected[2 * 7 + 3] += 1;
    }
  }
  EXPECT_EQ(std::vector<int>(m.begin(), m.end()), expected);
}

TEST_P(CoherenceMatrix, a_sub_matrix_is_one_copy) {
  if (context.devices() == 0 || !has_sub_matrices()) GTEST_SKIP() << "no device, or no sub-matrices";
  Matrix<int> m(context, "m", 100, 100);
  m.fill(3);
  add(m, on_device(0), {10, 60, 20, 30}, 1);
  const Statistics statistics = m.statistics();
  EXPECT_EQ(statistics.between(host, memory_of_device(0)), (Amount{1, 50 * 10 * sizeof(int)}));
  EXPECT_EQ(m(10, 20), 4);
  EXPECT_EQ(m(59, 29), 4);
  EXPECT_EQ(m(60, 29), 3);
  EXPECT_EQ(m(10, 30), 3);
}

TEST_P(CoherenceMatrix, the_initial_mechanism_refuses_what_is_no_range) {
  if (has_sub_matrices() || context.devices() == 0) GTEST_SKIP() << "another policy";
  Matrix<int> m(context, "m", 4, 4);
  m.fill(0);
  try {
    add(m, on_device(0), {0, 2, 0, 2}, 1);
    FAIL() << "a rectangle is no range";
  } catch (const CapabilityError& error) {
    EXPECT_STREQ(error.what(),
                 "the policy initial has no sub-matrices: rows [0, 2) columns [0, 2) of 'm' is no range\n"
                 "  consequence: the matrix cannot be used so\n"
                 "  remedy: use whole rows, or the policy region, paper or none");
  }
  add(m, on_device(0), {1, 3, 0, 4}, 1);
  EXPECT_EQ(m(1, 0) + m(2, 3) + m(3, 3), 2);
}

TEST_P(CoherenceMatrix, resize_keeps_rows_and_columns) {
  Matrix<int> m(context, "m", 2, 3);
  for (ElementIndex i = 0; i < 6; ++i) m[i] = static_cast<int>(i);
  m.resize(3, 2);
  EXPECT_EQ(m(0, 0), 0);
  EXPECT_EQ(m(0, 1), 1);
  EXPECT_EQ(m(1, 0), 3);
  EXPECT_EQ(m(1, 1), 4);
  EXPECT_THROW(m.at(0, 2), UsageError);
  EXPECT_EQ(m.rows(), 3);
}

INSTANTIATE_TEST_SUITE_P(Settings, CoherenceMatrix, testing::ValuesIn(all_settings()),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace haloheap::coherence
