// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/unit/core/coherence/functions.hpp>
#include <haloheap/unit/core/coherence/settings.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace haloheap::coherence {
namespace {

struct Weighted {
  KOKKOS_FUNCTION double operator()(int i, double x) const { return i * x; }
};
struct Smooth {
  KOKKOS_FUNCTION double operator()(const Window<double>& w) const { return (w(-2) + w(0) + w(2)) / 4; }
};
struct Laplace {
  KOKKOS_FUNCTION double operator()(const TileWindow<double>& w) const {
    return w(-1, 0) + w(1, 0) + w(0, -1) + w(0, 1) - 4 * w(0, 0);
  }
};
struct Shift {
  KOKKOS_FUNCTION double operator()(double x) const { return x + 1; }
};
struct AddFirst {
  KOKKOS_FUNCTION int operator()(ElementIndex i, const int* whole, int x) const {
    return x + whole[0] + static_cast<int>(i);
  }
};

struct IgnoreWhole {
  KOKKOS_FUNCTION int operator()(ElementIndex i, const double*, int x) const {
    return x + static_cast<int>(i);
  }
};

/// The sum over all j of (j + 1) * x[j] - x[i], and what was there.
struct Partners {
  struct Sum {
    double value = 0;
    KOKKOS_FUNCTION void operator+=(const Sum& other) { value += other.value; }
  };
  KOKKOS_FUNCTION void pair(ElementIndex i, const double* x, ElementIndex j, Sum& sum) const {
    sum.value += static_cast<double>(j + 1) * x[j] - x[i];
  }
  KOKKOS_FUNCTION double result(ElementIndex, const double*, const Sum& sum, double before) const {
    return sum.value + before;
  }
};

struct Add {
  KOKKOS_FUNCTION double operator()(double x, double y) const { return x + y; }
};
struct Minus {
  KOKKOS_FUNCTION double operator()(double x, double y) const { return x - y; }
};
struct ShiftTwice {
  KOKKOS_FUNCTION double operator()(double x) const { return (x + 1) + 1; }
};
struct PlaceOf {
  KOKKOS_FUNCTION double operator()(ElementIndex row, ElementIndex column) const {
    return static_cast<double>(100 * row + column);
  }
};
struct WithLast {
  ElementIndex last;
  KOKKOS_FUNCTION double operator()(ElementIndex i, const double* whole, double x) const {
    return x + whole[last] + static_cast<double>(i);
  }
};

double wave(ElementIndex i) {
  return std::sin(0.1 * static_cast<double>(i));
}

class CoherenceSkeletons : public testing::TestWithParam<Setting> {
 protected:
  Context context{GetParam().options()};

  Vector<double> waves(ElementIndex size) {
    Vector<double> vector(context, "waves", size);
    for (ElementIndex i = 0; i < size; ++i) vector[i] = wave(i);
    return vector;
  }
};

const std::vector<ElementIndex> sizes{1, 2, 3, 255, 4096, 4097, 70001};

TEST_P(CoherenceSkeletons, map_takes_inputs_of_several_types) {
  Vector<int> i(context, "i", 100);
  Vector<double> x = waves(100), out(context, "out", 100);
  map_index(all_devices, "haloheap::test::index", i, IndexOf{});
  map(all_devices, "haloheap::test::weighted", out, Weighted{}, i, x);
  for (ElementIndex at = 0; at < 100; ++at) EXPECT_EQ(out[at], static_cast<double>(at) * wave(at));
}

TEST_P(CoherenceSkeletons, slices_of_other_offsets_are_aligned) {
  Vector<double> x = waves(50), out = waves(60);
  map(all_devices, "haloheap::test::shift", out.slice(20, 30), Shift{}, std::as_const(x).slice(3, 13));
  for (ElementIndex i = 0; i < 60; ++i)
    EXPECT_EQ(out[i], i >= 20 && i < 30 ? wave(i - 17) + 1 : wave(i)) << i;
}

TEST_P(CoherenceSkeletons, map_array_gives_every_part_the_whole) {
  Vector<int> whole(context, "whole", {5, 6, 7}), v(context, "v", 11);
  v.fill(1);
  map_array(all_devices, "haloheap::test::add_first", v, AddFirst{}, whole, v);
  for (ElementIndex i = 0; i < 11; ++i) EXPECT_EQ(v[i], 6 + i);
}

TEST_P(CoherenceSkeletons, map_pairs_reduce_sums_over_all_partners) {
  for (const ElementIndex size : {1, 2, 31, 32, 33, 500}) {
    const Vector<double> x = waves(size);
    Vector<double> out(context, "out", size);
    out.fill(3);
    map_pairs_reduce(all_devices, "haloheap::test::partners", out, Partners{}, x, out);
    const auto all = x.read();
    for (ElementIndex i = 0; i < size; ++i) {
      double expected = 3;
      for (ElementIndex j = 0; j < size; ++j) expected += static_cast<double>(j + 1) * wave(j) - wave(i);
      ASSERT_NEAR(out[i], expected, 1e-8) << i << " of " << size;
      ASSERT_EQ(out[i], pairs_of(Partners{}, i, all.data(), size, 3.0)) << "another shape of the sum";
    }
  }
}

TEST_P(CoherenceSkeletons, map_overlap_reaches_over_the_ends_of_parts) {
  for (const ElementIndex size : sizes) {
    const Vector<double> x = waves(size);
    Vector<double> nearest(context, "nearest", size), zero(context, "zero", size);
    map_overlap(all_devices, "haloheap::test::smooth", nearest, Smooth{}, 2, Edge<double>{}, x);
    map_overlap(all_devices, "haloheap::test::smooth", zero, Smooth{}, 2,
                Edge<double>{Edge<double>::Kind::constant, 0.5}, x);
    for (ElementIndex i = 0; i < size; ++i) {
      const auto near = [&](ElementIndex j) { return wave(std::clamp<ElementIndex>(j, 0, size - 1)); };
      const auto half = [&](ElementIndex j) { return j < 0 || j >= size ? 0.5 : wave(j); };
      ASSERT_EQ(nearest[i], (near(i - 2) + near(i) + near(i + 2)) / 4) << i << " of " << size;
      ASSERT_EQ(zero[i], (half(i - 2) + half(i) + half(i + 2)) / 4) << i << " of " << size;
    }
  }
}

TEST_P(CoherenceSkeletons, map_overlap_of_matrices_is_a_stencil) {
  for (const auto& [rows, columns] :
       {std::pair<ElementIndex, ElementIndex>{1, 1}, {1, 9}, {9, 1}, {7, 5}, {33, 65}}) {
    Matrix<double> in(context, "in", rows, columns), out(context, "out", rows, columns);
    for (ElementIndex i = 0; i < rows * columns; ++i) in[i] = wave(i * i);
    for (int step = 0; step < 3; ++step) {
      std::vector<double> before(in.begin(), in.end());
      map_overlap(all_devices, "haloheap::test::laplace", out, Laplace{}, 1, Edge<double>{}, in);
      const auto at = [&](ElementIndex r, ElementIndex c) {
        r = std::clamp<ElementIndex>(r, 0, rows - 1);
        c = std::clamp<ElementIndex>(c, 0, columns - 1);
        return before[static_cast<std::size_t>(r * columns + c)];
      };
      for (ElementIndex r = 0; r < rows; ++r)
        for (ElementIndex c = 0; c < columns; ++c)
          ASSERT_EQ(std::as_const(out)(r, c),
                    at(r - 1, c) + at(r + 1, c) + at(r, c - 1) + at(r, c + 1) - 4 * at(r, c));
      swap(in, out);
    }
  }
}

const std::vector<std::pair<ElementIndex, ElementIndex>> shapes{{1, 1},   {1, 9},   {9, 1},    {7, 5},
                                                                {2, 300}, {33, 65}, {150, 101}};

TEST_P(CoherenceSkeletons, map_and_its_kin_take_matrices) {
  for (const auto& [rows, columns] : shapes) {
    Matrix<double> in(context, "in", rows, columns), out(context, "out", rows, columns);
    Vector<double> row_after_row = waves(rows * columns);
    map_index(all_devices, "haloheap::test::place", in, PlaceOf{});
    map(all_devices, "haloheap::test::add", out, Add{}, in, row_after_row);
    map(all_devices, "haloheap::test::shift", out, Shift{}, out);
    map_array(all_devices, "haloheap::test::with_last", row_after_row, WithLast{rows * columns - 1}, in,
              row_after_row);
    for (ElementIndex i = 0; i < rows * columns; ++i) {
      const double place = PlaceOf{}(i / columns, i % columns);
      ASSERT_EQ(out[i], place + wave(i) + 1) << i << " of " << rows << " rows of " << columns;
      ASSERT_EQ(row_after_row[i], wave(i) + PlaceOf{}(rows - 1, columns - 1) + static_cast<double>(i));
    }
  }
}

TEST_P(CoherenceSkeletons, reductions_of_a_matrix_have_the_bits_of_its_elements_in_a_row) {
  for (const auto& [rows, columns] : shapes) {
    Matrix<double> m(context, "m", rows, columns);
    const Vector<double> v = waves(rows * columns);
    map(all_devices, "haloheap::test::copy", m, Shift{}, v);
    map(all_devices, "haloheap::test::copy", m, Shift{}, m);
    EXPECT_EQ(reduce(all_devices, "haloheap::test::sum", Sum<double>{}, m),
              map_reduce<double>(all_devices, "haloheap::test::sum", Sum<double>{}, ShiftTwice{}, v))
        << rows << " rows of " << columns;
    EXPECT_EQ(map_reduce<double>(all_devices, "haloheap::test::max", Max<double>{}, Add{}, m, m),
              2 * reduce(all_devices, "haloheap::test::max", Max<double>{}, m));
  }
}

TEST_P(CoherenceSkeletons, matrices_of_other_rows_are_refused) {
  Matrix<double> a(context, "a", 4, 6), b(context, "b", 6, 4), c(context, "c", 4, 5);
  EXPECT_EQ(refusal([&] { map(all_devices, "haloheap::test::shift", a, Shift{}, b); }),
            "matrices of one call have rows of 4 ('b') and of 6 elements\n"
            "  consequence: the call was not made: its parts are rows\n"
            "  remedy: use matrices of one shape");
  EXPECT_THROW(map(all_devices, "haloheap::test::shift", a, Shift{}, c), UsageError);
}

TEST_P(CoherenceSkeletons, outputs_are_whole_rows) {
  Matrix<double> m(context, "m", 4, 5);
  m.fill(7);
  const Vector<double> x = waves(20);
  EXPECT_EQ(refusal([&] {
              map(all_devices, "haloheap::test::shift", slice(m.begin() + 3, m.begin() + 6), Shift{},
                  x.slice(0, 3));
            }),
            "3 elements of 'm' are to be written, from element 3 on, which are no whole rows of 5\n"
            "  consequence: the call was not made: others in these rows would be lost\n"
            "  remedy: write to whole rows (of a tensor: whole planes), or to a vector");
  EXPECT_NE(
      refusal([&] { map(all_devices, "haloheap::test::shift", m.begin() + 5, Shift{}, x.slice(0, 6)); }),
      "no error");
  EXPECT_NE(refusal([&] {
              map_index(all_devices, "haloheap::test::index", slice(m.begin(), m.begin() + 4), IndexOf{});
            }),
            "no error");
  EXPECT_NE(refusal([&] {
              map_array(all_devices, "haloheap::test::with_last", m.begin() + 1, WithLast{0}, x,
                        x.slice(0, 15));
            }),
            "no error");
  map(all_devices, "haloheap::test::shift", m.begin() + 5, Shift{}, x.slice(3, 13));
  map(all_devices, "haloheap::test::shift", slice(m.begin() + 3, m.begin() + 3), Shift{}, x.slice(0, 0));
  for (ElementIndex i = 0; i < 20; ++i) EXPECT_EQ(m[i], i >= 5 && i < 15 ? wave(i - 2) + 1 : 7) << i;
  Vector<double> out = waves(6);  // and inputs are what they are
  map(all_devices, "haloheap::test::shift", out, Shift{}, slice(m.cbegin() + 3, m.cbegin() + 9));
  for (ElementIndex i = 0; i < 6; ++i) EXPECT_EQ(out[i], m[i + 3] + 1) << i;
}

TEST_P(CoherenceSkeletons, matrices_without_columns_are_operands) {
  Matrix<double> none(context, "none", 3, 0), out(context, "out", 3, 0);
  map(all_devices, "haloheap::test::shift", out, Shift{}, none);
  Vector<int> v(context, "v", 4);
  v.fill(1);
  map_array(all_devices, "haloheap::test::add_size", v, IgnoreWhole{}, none, v);
  for (ElementIndex i = 0; i < 4; ++i) EXPECT_EQ(v[i], 1 + i);
  Tensor3<double> flat(context, "flat", 2, 3, 0);
  map_array(all_devices, "haloheap::test::add_size", v, IgnoreWhole{}, flat, v);
  EXPECT_EQ(v[3], 7);
}

TEST_P(CoherenceSkeletons, map_pairs_combines_each_with_each) {
  for (const auto& [rows, columns] : shapes) {
    Matrix<double> out(context, "out", rows, columns);
    const Vector<double> down = waves(rows + 3), across = waves(columns);
    map_pairs(all_devices, "haloheap::test::pairs", out, Minus{}, down.slice(3, rows + 3), across);
    for (ElementIndex i = 0; i < rows * columns; ++i)
      ASSERT_EQ(out[i], wave(i / columns + 3) - wave(i % columns)) << rows << " rows of " << columns;
    map_pairs(all_devices, "haloheap::test::pairs", out, Minus{}, down.begin() + 1, across.begin());
    ASSERT_EQ(out[rows * columns - 1], wave(rows) - wave(columns - 1));
  }
  Matrix<double> none(context, "none", 0, 5), m(context, "m", 2, 3);
  const Vector<double> nothing(context, "nothing", 0), two = waves(2), five = waves(5);
  map_pairs(all_devices, "haloheap::test::pairs", none, Minus{}, nothing, five);
  EXPECT_EQ(
      refusal([&] { map_pairs(all_devices, "haloheap::test::pairs", m, Minus{}, two, five); }),
      "'m' has 2 rows and 3 columns, and the pairs that it is to hold are of 2 ('waves') and 5 ('waves') "
      "elements\n"
      "  consequence: the call was not made\n"
      "  remedy: use slices of as many elements");
}

TEST_P(CoherenceSkeletons, iterators_are_operands) {
  Vector<double> x = waves(50), out = waves(60);
  const Vector<double>& fixed = x;
  map(all_devices, "haloheap::test::add", out.begin() + 20, Add{},
      slice(fixed.begin() + 3, fixed.begin() + 13), x.begin());
  for (ElementIndex i = 0; i < 60; ++i)
    EXPECT_EQ(out[i], i >= 20 && i < 30 ? wave(i - 17) + wave(i - 20) : wave(i)) << i;
  double sum = 0;
  for (ElementIndex i = 5; i < 50; ++i) sum += wave(i);
  EXPECT_NEAR(reduce(all_devices, "haloheap::test::sum", Sum<double>{}, slice(x.begin() + 5, x.end())), sum,
              1e-9);
  scan(all_devices, "haloheap::test::scan", Sum<double>{}, Scan::exclusive, out.begin() + 1,
       slice(x.begin(), x.end()));
  EXPECT_EQ(out[1], 0);
  EXPECT_EQ(out[2], wave(0));
  map_overlap(all_devices, "haloheap::test::smooth", out.begin(), Smooth{}, 2, Edge<double>{}, x.slice(0, 9));
  EXPECT_EQ(out[4], (wave(2) + wave(4) + wave(6)) / 4);
  const std::string what = "two iterators that are not in order, or not of one container, enclose no part";
  EXPECT_EQ(refusal([&] { (void)slice(x.begin(), out.end()); }), what);
  EXPECT_EQ(refusal([&] { (void)slice(x.end(), x.begin()); }), what);
  EXPECT_EQ(refusal([&] { (void)slice(Vector<double>::iterator(), Vector<double>::iterator()); }), what);
  EXPECT_THROW(map(all_devices, "haloheap::test::shift", out.begin() + 20, Shift{}, x), UsageError);
}

TEST_P(CoherenceSkeletons, reductions_have_the_same_bits_on_any_number_of_devices) {
  for (const ElementIndex size : sizes) {
    Context on_the_host({.devices = 0});
    Vector<double> reference(on_the_host, "reference", size);
    for (ElementIndex i = 0; i < size; ++i) reference[i] = wave(i);
    const Vector<double> x = waves(size);
    const double sum = reduce(all_devices, "haloheap::test::sum", Sum<double>{}, x);
    EXPECT_EQ(sum, reduce(the_host, "haloheap::test::sum", Sum<double>{}, reference)) << size;
    double plain = 0;
    for (ElementIndex i = 0; i < size; ++i) plain += wave(i);
    EXPECT_NEAR(sum, plain, 1e-9);
    double maximum = wave(0), minimum = wave(0);
    for (ElementIndex i = 0; i < size; ++i) {
      maximum = std::max(maximum, wave(i));
      minimum = std::min(minimum, wave(i));
    }
    EXPECT_EQ(reduce(all_devices, "haloheap::test::max", Max<double>{}, x), maximum);
    EXPECT_EQ(reduce(all_devices, "haloheap::test::min", Min<double>{}, x), minimum);
  }
}

TEST_P(CoherenceSkeletons, map_reduce_is_a_dot_product) {
  Vector<int> i(context, "i", 5000);
  map_index(all_devices, "haloheap::test::index", i, IndexOf{});
  Vector<double> ones(context, "ones", 5000);
  ones.fill(1);
  EXPECT_EQ(map_reduce<double>(all_devices, "haloheap::test::dot", Sum<double>{}, Weighted{}, i, ones),
            4999.0 * 5000 / 2);
}

TEST_P(CoherenceSkeletons, scans_are_prefix_sums) {
  for (const ElementIndex size : sizes) {
    Vector<int> in(context, "in", size), out(context, "out", size);
    std::vector<int> values(static_cast<std::size_t>(size)), expected(values);
    for (ElementIndex i = 0; i < size; ++i)
      in[i] = values[static_cast<std::size_t>(i)] = static_cast<int>(i * 7919 % 13) - 6;
    scan(all_devices, "haloheap::test::scan", Sum<int>{}, Scan::inclusive, out, in);
    std::inclusive_scan(values.begin(), values.end(), expected.begin());
    EXPECT_EQ(std::vector<int>(out.begin(), out.end()), expected) << size;
    scan(all_devices, "haloheap::test::scan", Sum<int>{}, Scan::exclusive, in, in);
    std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0);
    EXPECT_EQ(std::vector<int>(in.begin(), in.end()), expected) << size;
  }
}

TEST_P(CoherenceSkeletons, operands_that_do_not_fit_are_refused) {
  Vector<double> a = waves(5), b = waves(6);
  EXPECT_THROW(map(all_devices, "haloheap::test::shift", a, Shift{}, b), UsageError);
  EXPECT_THROW(map(all_devices, "haloheap::test::shift", b.slice(0, 3), Shift{}, b.slice(1, 4)), UsageError);
  EXPECT_THROW(map_overlap(all_devices, "haloheap::test::smooth", a, Smooth{}, 2, Edge<double>{}, a),
               UsageError);
  EXPECT_EQ(a[0], wave(0));
}

TEST_P(CoherenceSkeletons, one_device_or_the_host_may_work_alone) {
  Vector<double> x = waves(40);
  map(the_host, "haloheap::test::shift", x, Shift{}, x);
  for (int device = 0; device < context.devices(); ++device)
    map(one_device(device), "haloheap::test::shift", x, Shift{}, x);
  double expected = wave(7) + 1;
  for (int device = 0; device < context.devices(); ++device) expected += 1;
  EXPECT_EQ(x[7], expected);
}

INSTANTIATE_TEST_SUITE_P(Settings, CoherenceSkeletons, testing::ValuesIn(all_settings()),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace haloheap::coherence
