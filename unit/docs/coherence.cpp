// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What docs/guide/coherence.md and README.md quote.
#include <haloheap/core/coherence/placement.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

// [ten-lines]
#include <haloheap/core/coherence/skeletons.hpp>
using namespace haloheap::coherence;
// [ten-lines]

namespace haloheap::coherence_page {

double in_ten_lines(ElementIndex n) {
  // [ten-lines]
  Context context;  // all devices of this process; the host if there is none
  Vector<double> x(context, "x", n), y(context, "y", n);
  x.fill(1);  // on the host
  y.fill(2);
  map(
      all_devices, "axpy", y, KOKKOS_LAMBDA(double a, double b) { return 3 * a + b; }, x, y);  // parts H2D
  y[7] += 1;  // a part is copied back; only this element is old on its device
  const double dot = map_reduce<double>(
      all_devices, "dot", Sum<double>{}, KOKKOS_LAMBDA(double a, double b) { return a * b; }, x, y);
  // [ten-lines]
  return dot;
}
TEST(CoherencePage, has_ten_lines) {
  EXPECT_EQ(in_ten_lines(100), 5 * 100 + 1);
}

struct Axpy {
  KOKKOS_FUNCTION double operator()(double a, double b) const { return 3 * a + b; }
};

TEST(CoherencePage, places_a_call_by_measurement) {
  constexpr ElementIndex n = 100;
  constexpr int steps = 20;
  const Axpy axpy;
  Context context;
  Vector<double> x(context, "x", n), y(context, "y", n);
  x.fill(1);
  y.fill(2);
  // [placement]
  Placement placement(context);  // #include <haloheap/core/coherence/placement.hpp>
  for (int step = 0; step < steps; ++step)
    placement("axpy", n, [&](const Workers& workers) { map(workers, "axpy", y, axpy, x, y); });
  std::fputs(placement.report().c_str(), stdout);  // what it chose for which sizes, and the times of all
  // [placement]
  EXPECT_EQ(static_cast<double>(y[n - 1]), 2 + 3.0 * steps) << "whoever computed";
  EXPECT_NE(placement.report().find("axpy"), std::string::npos) << placement.report();
}

template <class In, class Out>
struct Mine {
  In in;
  Out out;
  KOKKOS_FUNCTION void operator()(int i) const { out(i) = 2 * in(100 + i); }
};
template <class In, class Out>
Mine(In, Out) -> Mine<In, Out>;

TEST(CoherencePage, lends_elements_to_kernels) {
  Context context;
  Vector<double> x(context, "x", 300), y(context, "y", 300);
  for (ElementIndex i = 0; i < 300; ++i) x[i] = static_cast<double>(i);
  y.fill(0);
  {
    // [access]
    const auto in = x.read(on_device(0));              // all of x, on device 0
    const auto out = y.write(on_device(0), 100, 200);  // elements [100, 200): all of them will be written
    Kokkos::parallel_for("mine", Kokkos::RangePolicy(out.exec(), 0, 100), Mine{in.view(), out.view()});
    // the uses end with the objects; y.read() on the host now copies [100, 200) back
    // [access]
  }
  EXPECT_EQ(static_cast<double>(y[99]), 0);
  EXPECT_EQ(static_cast<double>(y[100]), 200);
  EXPECT_EQ(static_cast<double>(y[199]), 2 * 199);
  EXPECT_EQ(static_cast<double>(y[200]), 0);
}

}  // namespace haloheap::coherence_page
