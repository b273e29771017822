// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Elements on the host that stand for those of a container.
#include <haloheap/core/coherence/matrix.hpp>
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/unit/core/coherence/settings.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>

namespace haloheap::coherence {
namespace {

struct Particle {
  int a;
  double b;
  KOKKOS_FUNCTION int twice() const { return 2 * a; }
};
KOKKOS_FUNCTION Particle& operator+=(Particle& mine, int more) {
  mine.a += more;
  return mine;
}
struct Move {
  KOKKOS_FUNCTION Particle operator()(const Particle& p) const { return {p.a + 1, p.b * 2}; }
};

class CoherenceElement : public testing::TestWithParam<Setting> {
 protected:
  Context context{GetParam().options()};

  void move(Vector<Particle>& v) { map(all_devices, "haloheap::test::move", v, Move{}, v); }
};

TEST_P(CoherenceElement, counts_up_and_down) {
  Vector<int> v(context, "v", {5, 6});
  Matrix<int> m(context, "m", 1, 1);
  m(0, 0) = 3;
  EXPECT_EQ(v[0]++, 5);
  EXPECT_EQ(v[1]--, 6);
  EXPECT_EQ(m(0, 0)++, 3);
  EXPECT_EQ(++v[0] + --v[1], 7 + 4);
  EXPECT_EQ(v[0] * 100 + v[1] * 10 + m(0, 0), 744);
}

TEST_P(CoherenceElement, has_the_members_of_its_type) {
  Vector<Particle> v(context, "v", {{1, 10}, {2, 20}, {3, 30}});
  move(v);
  v[2].a = 7;
  move(v);
  v[0] = Particle{50, 5};
  v[0].b += 1;
  v[1] += 100;
  (v.begin() + 2)->a += 1000;
  v.front().a -= 1;
  EXPECT_EQ(v[0].a, 49);
  EXPECT_EQ(std::as_const(v)[0].b, 6);
  EXPECT_EQ(v[1].twice(), 2 * 104);
  EXPECT_EQ(v.cbegin()[2].a, 1008);
  EXPECT_EQ(v.cbegin()->b, 6);
  EXPECT_EQ(std::as_const(v)[2].b, 120);
  const Particle whole = v[2];
  EXPECT_EQ(whole.a, 1008);
}

TEST_P(CoherenceElement, of_matrices_has_members_too) {
  Matrix<std::complex<double>> m(context, "m", 2, 2);
  m.fill({1, 2});
  m(0, 1) *= 2.0;
  m(1, 0).imag(7);
  m(1, 1) = {3, 4};
  EXPECT_EQ(std::real(m(0, 1)), 2);
  EXPECT_EQ(m(1, 0), std::complex<double>(1, 7));
  EXPECT_EQ(std::abs(m(1, 1)), 5);
  Vector<std::array<int, 3>> arrays(context, "arrays", 2);
  arrays.fill({});
  arrays[1][2] = 9;
  EXPECT_EQ(std::as_const(arrays)[1][2], 9);
}

TEST_P(CoherenceElement, with_members_is_what_algorithms_need) {
  Vector<Particle> v(context, "v", {{3, 30}, {1, 10}, {4, 40}, {2, 20}});
  move(v);
  std::sort(v.begin(), v.end(), [](const Particle& x, const Particle& y) { return x.a < y.a; });
  std::reverse(v.begin(), v.end());
  for (ElementIndex i = 0; i < 4; ++i) {
    EXPECT_EQ(v[i].a, 5 - i);
    EXPECT_EQ(v[i].b, 20.0 * static_cast<double>(4 - i));
  }
  std::swap(v[0], v[3]);
  EXPECT_EQ(v[0].a * 10 + v[3].a, 25);
  for (auto& each : v) each.a = 0;
  EXPECT_EQ(v[2].a, 0);
}

INSTANTIATE_TEST_SUITE_P(Settings, CoherenceElement, testing::ValuesIn(all_settings()),
                         [](const auto& test) { return name_of(test.param); });

/// What moves tells the one from the other.
TEST(CoherenceElementUse, reads_of_a_constant_container_leave_copies_of_devices_as_they_are) {
  Context context(Setting{"region", 1, true, false}.options());
  Vector<Particle> v(context, "v", {{1, 10}, {2, 20}});
  (void)v.read(on_device(0));
  const std::size_t before = v.statistics().to_devices();
  EXPECT_EQ(std::as_const(v)[0].a + v.cbegin()[1].twice(), 5);
  (void)v.read(on_device(0));
  EXPECT_EQ(v.statistics().to_devices(), before);
  v[1].a = 3;
  (void)v.read(on_device(0));
  EXPECT_EQ(v.statistics().to_devices(), before + sizeof(Particle));
}

TEST(CoherenceElementUse, with_members_that_overlaps_another_is_refused) {
  Context context(Setting{"region", 0, true, false}.options());
  Vector<Particle> v(context, "v", {{1, 10}, {2, 20}});
  const auto held = v.read(0, 1);
  EXPECT_THROW(v[0].a = 2, UsageError);
  v[1].a = 2;
  EXPECT_EQ(held[0].a, 1);
}

}  // namespace
}  // namespace haloheap::coherence
