// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/kernels/block_sums.hpp>
#include <haloheap/unit/comm/kernels/block_arrays.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace haloheap::comm {
namespace {

using namespace testing;

/// A box of a flat field of `row` values a row, whose values come one after the other from `first` on.
template <class T>
detail::HaloSum sum_of(const grid::Box& to, grid::Index row, grid::Index first, std::size_t field = 0) {
  const grid::Index size = sizeof(T);
  return {.peer = 0,
          .field = field,
          .to = to,
          .blocks = {{.run = to.extent(0) * size,
                      .count = {to.extent(1), 1, 1},
                      .from = {1, first * size, {to.extent(0) * size, 0, 0}},
                      .to = {0, (to.lo.x + to.lo.y * row) * size, {row * size, 0, 0}}}}};
}

template <class T>
class BlockSumsOf : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                               std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(BlockSumsOf, Types);

TYPED_TEST(BlockSumsOf, add_boxes_that_overlap_in_the_order_of_the_list) {
  using T = TypeParam;
  const grid::Index row = 50, rows = 40;
  const std::vector<grid::Box> boxes{{{0, 0, 0}, {50, 3, 1}}, {{0, 37, 0}, {50, 40, 1}},
                                     {{0, 0, 0}, {2, 40, 1}}, {{48, 0, 0}, {50, 40, 1}},
                                     {{0, 0, 0}, {2, 3, 1}},  {{7, 7, 0}, {7, 9, 1}}};
  std::vector<T> field, come;
  for (grid::Index i = 0; i < row * rows; ++i) field.push_back(static_cast<T>(i % 7));
  std::vector<detail::HaloSum> sums;
  for (const grid::Box& box : boxes) {
    sums.push_back(sum_of<T>(box, row, static_cast<grid::Index>(come.size())));
    // Of a third, no order gives the bits of another.
    for (grid::Index i = 0; i < box.cells(); ++i)
      come.push_back(static_cast<T>(static_cast<double>(1 + i % 11) / 3));
  }
  const Arrays<T> arrays({field, come});
  std::size_t next = 0;
  for (const grid::Box& box : boxes)
    for_each_cell(box, [&](const grid::Triple& cell) {
      T& value = field[static_cast<std::size_t>(cell.x + cell.y * row)];
      value = static_cast<T>(value + come[next++]);
    });
  if (boxes.back().empty()) sums.pop_back();
  const detail::BlockSums adding("haloheap::unit::sums", sums, {value_type_of<T>()});
  EXPECT_EQ(adding.kernels(), 3U) << "two sides, two columns on these, and a corner on both";
  const Kokkos::DefaultExecutionSpace exec;
  adding.run(exec, arrays.table());
  exec.fence("haloheap::unit::sums");
  EXPECT_EQ(difference(arrays.values(0), field), "");
  EXPECT_EQ(difference(arrays.values(1), come), "");
}

TEST(BlockSums, of_different_fields_do_not_wait_for_each_other) {
  const grid::Box box{{0, 0, 0}, {4, 4, 1}};
  const auto kernels = [&](const std::vector<std::size_t>& fields) {
    std::vector<detail::HaloSum> sums;
    for (const std::size_t field : fields) sums.push_back(sum_of<float>(box, 4, 0, field));
    return detail::BlockSums("haloheap::unit::sums", sums, {ValueType::f32, ValueType::f32, ValueType::i32})
        .kernels();
  };
  EXPECT_EQ(kernels({}), 0U);
  EXPECT_EQ(kernels({0, 1}), 1U);
  EXPECT_EQ(kernels({0, 1, 2}), 2U) << "one for each type";
  EXPECT_EQ(kernels({0, 1, 0}), 2U);
  EXPECT_EQ(kernels({0, 0, 0}), 3U);
}

TEST(ValueTypes, are_numbers_or_bytes) {
  struct Two {
    float a, b;
  };
  EXPECT_EQ(value_type_of<float>(), ValueType::f32);
  EXPECT_EQ(value_type_of<unsigned char>(), ValueType::u8);
  EXPECT_EQ(value_type_of<long long>(), ValueType::i64);
  EXPECT_EQ(value_type_of<bool>(), ValueType::bytes);
  EXPECT_EQ(value_type_of<long double>(), ValueType::bytes);
  EXPECT_EQ(value_type_of<Two>(), ValueType::bytes);
}

}  // namespace
}  // namespace haloheap::comm
