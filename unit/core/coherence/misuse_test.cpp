// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What lies at the edge of valid use, and beyond.
#include <haloheap/core/coherence/matrix.hpp>
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/core/memory/adaptors/statistics.hpp>
#include <haloheap/core/memory/resources/backend_resource.hpp>
#include <haloheap/unit/core/coherence/functions.hpp>
#include <haloheap/unit/core/coherence/settings.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace haloheap::coherence {
namespace {

struct AddBoth {
  KOKKOS_FUNCTION int operator()(int a, int b) const { return a + b; }
};
struct AddWhole {
  KOKKOS_FUNCTION int operator()(ElementIndex, const int* whole, int x) const { return x + whole[0]; }
};
struct Center {
  KOKKOS_FUNCTION int operator()(const Window<int>& w) const { return w(0); }
  KOKKOS_FUNCTION int operator()(const TileWindow<int>& w) const { return w(0, 0); }
};
struct Fill {
  DeviceAccessor<int>::View view;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) = 7; }
};

ContextOptions options(bool check = false, int devices = 1) {
  ContextOptions options = Setting{"region", devices, true, false}.options();
  options.check_uses = check;
  return options;
}

/// What stderr gets while something is done.
template <class Function>
std::string said(const Function& function) {
  testing::internal::CaptureStderr();
  function();
  return testing::internal::GetCapturedStderr();
}

TEST(CoherenceEmptyAccess, has_the_instance_of_its_device) {
  Context context(options(true, 2));
  Vector<int> v(context, "v", {1, 2, 3});
  Matrix<int> m(context, "m", 2, 3);
  for (const int device : {0, 1}) {
    const auto out = v.write(on_device(device), 2, 2);
    EXPECT_EQ(out.exec(), context.exec(device));
    EXPECT_EQ(out.view().extent(0), 0U);
    Kokkos::parallel_for("haloheap::test::none", Kokkos::RangePolicy(out.exec(), 0, 0), Fill{out.view()});
    EXPECT_EQ(m.read(on_device(device), Rect{1, 1, 0, 3}).exec(), context.exec(device));
  }
  EXPECT_EQ(v[2], 3);
}

TEST(CoherenceEmptyAccess, moves_and_ends_as_others_do) {
  Context context(options());
  Vector<int> v(context, "v", 3), none(context, "none", 0);
  auto access = v.read_write(on_device(0));
  auto empty = none.read_write(on_device(0));
  access = std::move(empty);
  const auto moved = std::move(access);
  EXPECT_EQ(moved.exec(), context.exec(0));
  EXPECT_EQ(moved.size(), 0);
  EXPECT_NO_THROW(v.resize(4)) << "the first access is over";
}

TEST(CoherenceEmptyAccess, has_no_instance_of_the_host_or_of_a_device_that_there_is_not) {
  Context context(options());
  Vector<int> v(context, "v", 3);
  EXPECT_EQ(refusal([&] { (void)v.read().exec(); }),
            "there is no device -1 that work could be launched on: 1 there are");
  EXPECT_EQ(refusal([&] { (void)v.read(on_device(1), 2, 2).exec(); }),
            "there is no device 1 that work could be launched on: 1 there are");
  EXPECT_EQ(refusal([] { (void)DeviceAccessor<int>().exec(); }),
            "an access that was never made has no instance to launch work on");
}

/// While elements are written on a device the host may use others of the same copy, also so that they are
/// brought by many at once (policy region).
TEST(CoherenceOpenUse, is_not_read_when_elements_around_it_are) {
  for (const PolicyEntry& policy : policies()) {
    ContextOptions wanted = options(true);
    wanted.policy = policy.name;
    Context context(wanted);
    Vector<int> v(context, "v", 1000);
    v.fill(0);
    for (const bool many_pieces : {false, true}) {
      map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
      auto access = v.write(on_device(0), 100, 200);
      EXPECT_EQ(v[10], many_pieces ? 2 : 1);
      for (ElementIndex i = 300; many_pieces && i < 900; i += 2) v[i] = 5;
      Kokkos::parallel_for("haloheap::test::fill", Kokkos::RangePolicy(access.exec(), 0, 100),
                           Fill{access.view()});
      access.release();
      EXPECT_EQ(v[150], 7) << policy.name;
      EXPECT_EQ(v[99] + v[200], many_pieces ? 4 : 2) << policy.name;
    }
  }
}

/// The host may read at once what a device has read, but not change it.
TEST(CoherenceElement, that_is_changed_makes_copies_old) {
  Context context(options());
  Vector<int> v(context, "v", {1, 2, 3});
  (void)v.read(on_device(0));
  v[1] += 5;
  map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
  EXPECT_EQ(v[1], 8);
}

TEST(CoherenceTwoContexts, are_refused_by_every_call) {
  Context one(options()), another(options());
  Vector<int> a(one, "a", 10), b(another, "b", 10);
  Matrix<int> m(one, "m", 2, 3), n(another, "n", 2, 3);
  a.fill(1);
  b.fill(2);
  const std::string text =
      "operands of one call belong to two contexts: 'a' and 'b'\n"
      "  consequence: the call was not made: nothing would order its work\n"
      "  remedy: make both with the same context";
  const Edge<int> edge;
  EXPECT_EQ(refusal([&] { map(all_devices, "haloheap::test::map", a, AddOne{}, b); }), text);
  EXPECT_EQ(refusal([&] { map(all_devices, "haloheap::test::map", a, AddBoth{}, a, b); }), text);
  EXPECT_EQ(refusal([&] { map_array(all_devices, "haloheap::test::map_array", a, AddWhole{}, b, a); }), text);
  EXPECT_EQ(refusal([&] {
              map_array(all_devices, "haloheap::test::map_array", a, AddWhole{}, a.slice(0, 0), b);
            }).substr(0, 5),
            "'a' i")
      << "what is wrong twice is refused";
  EXPECT_EQ(refusal([&] {
              map_overlap(all_devices, "haloheap::test::map_overlap", a, Center{}, 1, edge, b);
            }).substr(0, 50),
            "operands of one call belong to two contexts: 'b' a");
  EXPECT_EQ(refusal([&] {
              map_overlap(all_devices, "haloheap::test::map_overlap", m, Center{}, 1, edge, n);
            }).substr(0, 57),
            "operands of one call belong to two contexts: 'm' and 'n'\n");
  EXPECT_EQ(refusal([&] { scan(all_devices, "haloheap::test::scan", Sum<int>{}, Scan::inclusive, a, b); }),
            text);
  EXPECT_EQ(
      refusal([&] { map_reduce<int>(all_devices, "haloheap::test::dot", Sum<int>{}, AddBoth{}, a, b); }),
      text);
  EXPECT_EQ(one.statistics().allocations.count + another.statistics().allocations.count, 0U);
  EXPECT_EQ(a[0] + b[0], 3);
}

TEST(CoherenceLiveAccess, on_a_device_forbids_resizing) {
  Context context(options());
  Vector<int> v(context, "v", {1, 2, 3, 4});
  {
    const auto access = v.read_write(on_device(0), 1, 3);
    EXPECT_EQ(refusal([&] { v.resize(8); }),
              "'v' cannot be resized while [1, 3) of it is in use on device 0\n"
              "  consequence: the use would lose its elements\n"
              "  remedy: end the use first");
    EXPECT_EQ(v.size(), 4);
    EXPECT_GT(v.statistics().allocations.count, 0U);
  }
  v.resize(8);
  EXPECT_EQ(v[3], 4);
}

TEST(CoherenceLiveAccess, on_the_host_forbids_resizing_where_uses_are_checked) {
  Context context(options(true));
  Matrix<int> m(context, "m", 2, 3);
  m.fill(5);
  {
    const auto access = m.read();
    EXPECT_EQ(refusal([&] { m.resize(1, 1); }).substr(0, 87),
              "'m' cannot be resized while rows [0, 2) columns [0, 3) of it is in use on the host\n  co");
  }
  m.resize(1, 1);
  EXPECT_EQ(std::as_const(m)(0, 0), 5);
}

const std::string lost =
    "\n  consequence: the use has lost its elements\n  remedy: end accesses before their container";

TEST(CoherenceLiveAccess, that_outlives_its_container_makes_calls_that_wait_throw) {
  Context context(options());
  Vector<int> other(context, "other", 4);
  const std::vector<std::function<void()>> calls{[&] { other.update_host(); }, [&] { other.flush(); },
                                                 [&] { other.release_devices(); }, [&] { other.resize(5); },
                                                 [&] { context.fence(); }};
  for (const auto& call : calls) {
    DeviceAccessor<int> access;
    {
      Vector<int> v(context, "v", 4);
      access = v.write(on_device(0), 0, 3);
    }
    EXPECT_EQ(refusal(call), "'v' ends while [0, 3) of it is in use on device 0" + lost);
    EXPECT_NO_THROW(call());
  }
}

TEST(CoherenceLiveAccess, that_outlives_its_container_makes_the_next_call_throw) {
  for (const bool check : {false, true}) {
    Context context(options(check));
    Vector<int> other(context, "other", 4);
    {
      DeviceAccessor<int> access;
      {
        Vector<int> v(context, "v", 4);
        access = v.write(on_device(0), 0, 3);
      }
      EXPECT_EQ(refusal([&] { other.fill(1); }), "'v' ends while [0, 3) of it is in use on device 0" + lost);
    }
    other.fill(2);
    EXPECT_EQ(other[3], 2) << "and only that";
    EXPECT_NO_THROW(context.fence());
  }
}

TEST(CoherenceLiveAccess, on_the_host_that_outlives_its_container_is_found_where_uses_are_checked) {
  Context context(options(true));
  {
    HostAccessor<int> access;
    {
      Vector<int> v(context, "v", 4);
      access = v.write();
    }
    EXPECT_EQ(refusal([&] { context.fence(); }), "'v' ends while [0, 4) of it is in use on the host" + lost);
    Vector<int> next(context, "next", 4);  // which may take its place in the directory
    const auto use = next.write();
    access.release();
    EXPECT_NE(refusal([&] { next.resize(5); }), "no error")
        << "the end of one use was taken for that of another";
  }
  EXPECT_NO_THROW(context.fence());
}

TEST(CoherenceLiveAccess, of_a_container_that_is_assigned_to_is_found) {
  Context context(options(true));
  Vector<int> v(context, "v", 4), w(context, "w", 4);
  const auto access = v.read();
  v = std::move(w);
  EXPECT_EQ(refusal([&] { context.fence(); }), "'v' ends while [0, 4) of it is in use on the host" + lost);
}

TEST(CoherenceLiveAccess, goes_on_when_its_container_moves) {
  Context context(options(true));
  Vector<int> v(context, "v", {1, 2, 3});
  auto access = v.write(on_device(0));
  Vector<int> moved = std::move(v);
  Kokkos::parallel_for("haloheap::test::fill", Kokkos::RangePolicy(access.exec(), 0, 3), Fill{access.view()});
  access.release();
  EXPECT_EQ(moved[1], 7);
}

TEST(CoherenceSize, that_there_cannot_be_is_an_error_and_changes_nothing) {
  Context context(options());
  Vector<int> v(context, "v", {1, 2, 3});
  Matrix<int> m(context, "m", 2, 2);
  (void)v.read(on_device(0));
  constexpr ElementIndex huge = std::numeric_limits<ElementIndex>::max() / 2;
  EXPECT_EQ(refusal([&] { v.resize(-1); }), "'v' cannot have -1 elements");
  EXPECT_EQ(refusal([&] { v.resize(huge); }), "'v' cannot have " + std::to_string(huge) + " elements");
  EXPECT_EQ(refusal([&] { m.resize(2, -1); }), "'m' cannot have 2 rows and -1 columns");
  EXPECT_EQ(refusal([&] { m.resize(-2, -1); }), "'m' cannot have -2 rows and -1 columns");
  EXPECT_EQ(refusal([&] { m.resize(huge, 3); }),
            "'m' cannot have " + std::to_string(huge) + " rows and 3 columns");
  EXPECT_EQ(refusal([&] { Vector<int>(context, "w", -1); }), "'w' cannot have -1 elements");
  EXPECT_EQ(v.size() + m.size(), 7);
  EXPECT_EQ(v.statistics().evictions.count, 0U);
  (void)v.read(on_device(0));
  EXPECT_EQ(v.statistics().to_devices(), 3 * sizeof(int)) << "the copy on the device has gone";
  m.resize(0, 5);
  EXPECT_TRUE(m.empty());
}

TEST(CoherenceMove, leaves_nothing_behind_and_gives_back_what_was_assigned_to) {
  const auto memory = std::make_shared<memory::StatisticsResource>(
      std::make_shared<memory::detail::BackendResource>(backend::MemoryKind::pageable));
  Context context(options());
  Vector<int> a(context, "a", 100, memory), b(context, "b", 10, memory);
  a.fill(1);
  b.fill(2);
  a = std::move(b);
  EXPECT_EQ(a.size(), 10);
  EXPECT_EQ(a[9], 2);
  EXPECT_EQ(b.size(), 0) << "an assignment swaps";  // NOLINT(bugprone-use-after-move): what is tested
  EXPECT_EQ(memory->snapshot().live_bytes, 10 * sizeof(int)) << "what was assigned to is still there";
  Vector<int>& same = a;
  a = std::move(same);
  EXPECT_EQ(a[9], 2);
  for (const auto& call : {+[](Vector<int>& v) { v.update_host(); }, +[](Vector<int>& v) { v.resize(3); },
                           +[](Vector<int>& v) { (void)v.statistics(); }})
    EXPECT_EQ(refusal([&] { call(b); }),
              "a container is used that was moved from\n"
              "  consequence: it has no elements\n"
              "  remedy: assign another to it first");
  b = Vector<int>(context, "c", {4, 5});
  swap(a, b);
  EXPECT_EQ(a[1] + b[9], 7);
  EXPECT_EQ(a.label() + b.label(), "cb");
  Matrix<int> m(context, "m", 2, 3), n(context, "n", 1, 1);
  m = std::move(n);
  EXPECT_EQ(m.rows() * m.columns(), 1);
  EXPECT_TRUE(n.empty());  // NOLINT(bugprone-use-after-move)
}

TEST(CoherenceExtremes, of_infinities_and_of_nothing) {
  Context context(options(false, 2));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Vector<double> v(context, "v", 9000);
  Vector<int> none(context, "none", 0);
  v.fill(-infinity);
  EXPECT_EQ(reduce(all_devices, "haloheap::test::max", Max<double>{}, v), -infinity);
  v[8000] = -1e300;
  EXPECT_EQ(reduce(all_devices, "haloheap::test::max", Max<double>{}, v), -1e300);
  v.fill(infinity);
  EXPECT_EQ(reduce(all_devices, "haloheap::test::min", Min<double>{}, v), infinity);
  scan(all_devices, "haloheap::test::scan", Min<double>{}, Scan::inclusive, v, v);
  EXPECT_EQ(v[8999], infinity);
  EXPECT_EQ(reduce(all_devices, "haloheap::test::max", Max<double>{}, v.slice(3, 3)), -infinity);
  EXPECT_EQ(reduce(all_devices, "haloheap::test::max", Max<int>{}, none), std::numeric_limits<int>::lowest());
  EXPECT_EQ(reduce(all_devices, "haloheap::test::min", Min<int>{}, none), std::numeric_limits<int>::max());
}

TEST(CoherenceContextEnd, before_its_containers_is_said_and_leaves_them_to_be_destroyed) {
  for (const int devices : {0, 1}) {
    Context next(options(true, devices));
    std::optional<Context> context(std::in_place, options(true, devices));
    Vector<int> v(*context, "v", {1, 2, 3}), assigned(*context, "assigned", 4);
    Matrix<int> m(*context, "m", 2, 2);
    map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
    (void)reduce(all_devices, "haloheap::test::sum", Sum<int>{}, v);  // has containers of the context's own
    EXPECT_EQ(said([&] { context.reset(); }),
              "haloheap: error in coherence::Context::~Context: the context ends before its container 'v' "
              "and 2 more; "
              "consequence: its elements are lost; remedy: declare a context before its containers\n");
    const std::string text =
        "'v' is used after its context has ended\n"
        "  consequence: its elements are lost\n"
        "  remedy: declare a context before its containers";
    EXPECT_EQ(refusal([&] { (void)static_cast<int>(v[0]); }), text);
    EXPECT_EQ(refusal([&] { v[0] = 1; }), text);
    EXPECT_EQ(refusal([&] { v[0] += 1; }), text);
    EXPECT_EQ(refusal([&] { (void)v.read(); }), text);
    EXPECT_EQ(refusal([&] { v.update_host(); }), text);
    EXPECT_EQ(refusal([&] { map(all_devices, "haloheap::test::add_one", v, AddOne{}, v); }), text);
    EXPECT_EQ(refusal([&] { v.resize(3); }), text);
    assigned = Vector<int>(next, "assigned", {1, 2});
    EXPECT_EQ(assigned[1], 2);
  }
}

TEST(CoherenceContextEnd, after_its_containers_says_nothing) {
  EXPECT_EQ(said([] {
              Context context(options());
              Vector<int> v(context, "v", 5000);
              v.fill(1);
              (void)reduce(all_devices, "haloheap::test::sum", Sum<int>{}, v);
            }),
            "");
}

/// A device's error would come so, too: through a fence.
TEST(CoherenceContextEnd, says_what_its_waits_throw) {
  const auto before = Kokkos::Tools::Experimental::get_callbacks();
  const std::string text = said([] {
    Context context(options());
    Kokkos::Tools::Experimental::set_begin_fence_callback([](const char* name, uint32_t, uint64_t*) {
      if (std::string_view(name).find("~Context") != std::string_view::npos)
        throw DeviceError("lost", "", "reset it");
    });
  });
  Kokkos::Tools::Experimental::set_callbacks(before);
  const std::string line = "haloheap: error in coherence::Context::~Context: lost; remedy: reset it\n";
  EXPECT_EQ(text, line + line + line) << "each of the device's three queues is waited for";
}

TEST(CoherenceContextEnd, says_an_error_that_nobody_has_seen) {
  EXPECT_EQ(
      said([] {
        Context context(options(true));
        DeviceAccessor<int> first, second;
        Vector<int> v(context, "v", 4), w(context, "w", 4);
        first = v.write(on_device(0));
        second = w.write(on_device(0));
        { const Vector<int> end_v = std::move(v); }
        { const Vector<int> end_w = std::move(w); }
      }),
      "haloheap: error in coherence::Context::~Context: 'v' ends while [0, 4) of it is in use on device 0; "
      "consequence: the use has lost its elements; remedy: end accesses before their container\n")
      << "the first error";
}

}  // namespace
}  // namespace haloheap::coherence
