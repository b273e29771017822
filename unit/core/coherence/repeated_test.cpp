// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/repeated.hpp>
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/unit/core/coherence/settings.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

namespace haloheap::coherence::repeated {
namespace {

using Values = std::vector<int>;
constexpr ElementIndex size = 60;

struct Increase {
  KOKKOS_FUNCTION int operator()(int x) const { return x + 1; }
};
struct Own {
  int* data;
  KOKKOS_FUNCTION void operator()(ElementIndex i) const { data[i] += 5; }
};
struct Place {
  KOKKOS_FUNCTION int operator()(ElementIndex row, ElementIndex column) const {
    return static_cast<int>(row * row + 3 * column);
  }
};
struct Cross {
  KOKKOS_FUNCTION int operator()(const TileWindow<int>& w) const {
    return (w(0, 0) + 2 * w(-1, 0) + 3 * w(0, 1) + w(1, 0)) % 1000;
  }
};
struct Opposite {
  KOKKOS_FUNCTION int operator()(int x) const { return -x; }
};

int start(ElementIndex i) {
  return static_cast<int>(i * i % 17);
}

struct Neighbours {
  KOKKOS_FUNCTION int operator()(const Window<int>& w) const { return (w(-1) - w(0) + 2 * w(1)) % 1000; }
};

/// What the calls of a step do, one after the other.
void step(Values& a, Values& b) {
  for (ElementIndex i = 0; i < size; ++i)
    b[static_cast<std::size_t>(i)] = Neighbours{}(Window<int>{a.data(), i, size, Edge<int>{}});
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = Increase{}(b[i]);
}

class CoherenceRepeated : public ::testing::TestWithParam<Setting> {
 protected:
  CoherenceRepeated() : context(GetParam().options()), a(context, "a", size), b(context, "b", size) {
    for (ElementIndex i = 0; i < size; ++i) a[i] = plain_a[static_cast<std::size_t>(i)] = start(i);
  }

  void calls() {
    map_overlap(all_devices, "haloheap::test::neighbours", b, Neighbours{}, 1, Edge<int>{}, a);
    map(all_devices, "haloheap::test::increase", a, Increase{}, b);
  }
  void expect_equal() {
    const auto elements = std::as_const(a).read(0, size);
    for (ElementIndex i = 0; i < size; ++i)
      ASSERT_EQ(elements[i], plain_a[static_cast<std::size_t>(i)]) << "element " << i;
  }
  bool records() const { return GetParam().devices > 0 && GetParam().entry().keeps_copies; }
  /// Where copies do not last and results do, it depends on the calls.
  bool may_record() const { return GetParam().devices > 0 && GetParam().entry().keeps_results; }

  Context context;
  Vector<int> a, b;
  Values plain_a = Values(size), plain_b = Values(size);
};

TEST_P(CoherenceRepeated, any_number_of_repetitions_is_as_many_calls) {
  Repeated repeated(context, [&] { calls(); });
  for (const std::uint64_t times : {1, 2, 0, 3, 20, 1}) {
    repeated(times);
    for (std::uint64_t i = 0; i < times; ++i) step(plain_a, plain_b);
    expect_equal();
  }
  EXPECT_GE(repeated.launched(), records() ? 1U : 0U);
  EXPECT_LE(repeated.launched(), may_record() ? 26U : 0U);
}

TEST_P(CoherenceRepeated, all_but_the_first_are_launched_where_nothing_comes_between) {
  Repeated repeated(context, [&] { calls(); });
  repeated(40);
  for (int i = 0; i < 40; ++i) step(plain_a, plain_b);
  EXPECT_GE(repeated.launched(), records() ? 35U : 0U);
  EXPECT_LE(repeated.launched(), may_record() ? 39U : 0U);
  expect_equal();
}

TEST_P(CoherenceRepeated, the_host_may_write_between_repetitions) {
  Repeated repeated(context, [&] { calls(); });
  for (int round = 0; round < 5; ++round) {
    const std::uint64_t before = repeated.launched();
    repeated(7);
    EXPECT_LE(repeated.launched() - before, 6U) << "what the host wrote is not on the devices";
    EXPECT_GE(repeated.launched() - before, records() ? 4U : 0U);
    EXPECT_TRUE(round == 0 || !records() || repeated.launched() - before == 6) << "it was recorded anew";
    for (int i = 0; i < 7; ++i) step(plain_a, plain_b);
    const ElementIndex at = 10 * round + 13;
    ASSERT_EQ(a[at], plain_a[static_cast<std::size_t>(at)]);
    a[at] = plain_a[static_cast<std::size_t>(at)] = round;
  }
  expect_equal();
}

TEST_P(CoherenceRepeated, counts_what_the_calls_would) {
  Statistics counted[2];
  for (const bool as_graph : {false, true}) {
    Context own(GetParam().options());
    Vector<int> from(own, "from", size), to(own, "to", size);
    from.fill(3);
    const auto both = [&] {
      map_overlap(all_devices, "haloheap::test::neighbours", to, Neighbours{}, 1, Edge<int>{}, from);
      map(all_devices, "haloheap::test::increase", from, Increase{}, to);
    };
    Repeated repeated(own, both);
    if (as_graph)
      repeated(30);
    else
      for (int i = 0; i < 30; ++i) both();
    counted[as_graph ? 1 : 0] = own.statistics();
  }
  EXPECT_EQ(counted[1].moved, counted[0].moved);
  EXPECT_EQ(counted[1].hits, counted[0].hits);
  EXPECT_EQ(counted[1].misses, counted[0].misses);
  EXPECT_EQ(counted[1].allocations, counted[0].allocations);
}

TEST_P(CoherenceRepeated, other_containers_do_not_matter) {
  Repeated repeated(context, [&] { calls(); });
  repeated(10);
  const std::uint64_t before = repeated.launched();
  Vector<int> other(context, "other", size);
  other.fill(1);
  map(all_devices, "haloheap::test::increase", other, Increase{}, other);
  EXPECT_EQ(std::as_const(other)[5], 2);
  repeated(10);
  if (records()) {
    EXPECT_EQ(repeated.launched(), before + 10);
  }
  for (int i = 0; i < 20; ++i) step(plain_a, plain_b);
  expect_equal();
}

TEST_P(CoherenceRepeated, two_sequences_take_turns) {
  Repeated one(context, [&] { calls(); });
  Repeated two(context, [&] { map(all_devices, "haloheap::test::opposite", a, Opposite{}, a); });
  for (int round = 0; round < 6; ++round) {
    one(3);
    two(1);
    for (int i = 0; i < 3; ++i) step(plain_a, plain_b);
    for (int& value : plain_a) value = -value;
  }
  expect_equal();
}

TEST_P(CoherenceRepeated, kernels_of_ones_own_belong_to_it) {
  if (GetParam().devices == 0) return;
  Repeated repeated(context, [&] {
    const auto elements = a.read_write(on_device(0), 0, size);
    Kokkos::parallel_for(
        "haloheap::test::own",
        Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<ElementIndex>>(elements.exec(), 0, size),
        Own{elements.data()});
  });
  repeated(12);
  for (int& value : plain_a) value += 12 * 5;
  expect_equal();
}

TEST_P(CoherenceRepeated, tiles_of_matrices_go_from_device_to_device) {
  constexpr ElementIndex rows = 12, columns = 7;
  Matrix<int> here(context, "here", rows, columns), there(context, "there", rows, columns);
  map_index(all_devices, "haloheap::test::place", here, Place{});
  Repeated repeated(context, [&] {
    map_overlap(all_devices, "haloheap::test::cross", there, Cross{}, 1, Edge<int>{}, here);
    map_overlap(all_devices, "haloheap::test::cross", here, Cross{}, 1, Edge<int>{}, there);
  });
  repeated(9);
  Values now(rows * columns), next(now);
  for (ElementIndex i = 0; i < rows * columns; ++i)
    now[static_cast<std::size_t>(i)] = Place{}(i / columns, i % columns);
  for (int call = 0; call < 18; ++call, std::swap(now, next))
    for (ElementIndex i = 0; i < rows * columns; ++i)
      next[static_cast<std::size_t>(i)] =
          Cross{}(TileWindow<int>{now.data(), i / columns, i % columns, rows, columns, columns, Edge<int>{}});
  for (ElementIndex i = 0; i < rows * columns; ++i)
    ASSERT_EQ(std::as_const(here)(i / columns, i % columns), now[static_cast<std::size_t>(i)]) << i;
}

TEST_P(CoherenceRepeated, what_no_graph_can_do_is_refused) {
  if (GetParam().devices == 0) return;
  const auto refused = [&](auto&& function) {
    return refusal([&] {
      Repeated repeated(context, function);
      repeated(2);
    });
  };
  EXPECT_NE(refused([&] { (void)a.read(0, 3); }).find("they use elements on the host"), std::string::npos);
  EXPECT_NE(refused([&] {
              (void)reduce(all_devices, "haloheap::test::sum", Sum<int>{}, a);
            }).find("they use elements on the host"),
            std::string::npos);
  EXPECT_NE(refused([&] { context.fence(); }).find("they wait for work"), std::string::npos);
  EXPECT_NE(refused([&] {
              farm(all_devices, context, 1, [](const Workers&, ElementIndex) {});
            }).find("a farm asks who is free"),
            std::string::npos);
  EXPECT_NE(refused(std::function<void()>()).find("there are no calls"), std::string::npos);
  expect_equal();
}

TEST_P(CoherenceRepeated, calls_that_become_others_are_refused) {
  if (!records()) return;
  bool reads = false;
  Repeated repeated(context, [&] {
    calls();
    if (reads) (void)a.read(0, 3);
  });
  repeated(10);
  for (int i = 0; i < 10; ++i) step(plain_a, plain_b);
  reads = true;
  // A device makes what it recorded; an emulated one makes the calls, and sees it.
  if (backend::kernels_on_host) {
    EXPECT_NE(refusal([&] { repeated(1); }).find("do what they did not do before"), std::string::npos);
    step(plain_a, plain_b);
  }
  expect_equal();
}

TEST_P(CoherenceRepeated, what_the_calls_throw_goes_on) {
  int made = 0;
  Repeated repeated(context, [&] {
    if (++made == 2) throw std::runtime_error("enough");
    calls();
  });
  EXPECT_THROW(repeated(5), std::runtime_error);
  step(plain_a, plain_b);
  expect_equal();
  repeated(4);
  for (int i = 0; i < 4; ++i) step(plain_a, plain_b);
  expect_equal();
}

INSTANTIATE_TEST_SUITE_P(All, CoherenceRepeated, ::testing::ValuesIn(all_settings()),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace haloheap::coherence::repeated
