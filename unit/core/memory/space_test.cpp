// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/adaptors/faulty.hpp>
#include <haloheap/core/memory/adaptors/statistics.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/memory/space.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace haloheap::memory {
namespace {

template <class Space>
const char* resource_name();
template <>
const char* resource_name<PageableSpace>() {
  return "pageable";
}
template <>
const char* resource_name<DeviceSpace>() {
  return "device";
}
template <>
const char* resource_name<SharedSpace>() {
  return "managed";
}

template <class View>
struct FillWithIndex {
  View view;
  KOKKOS_FUNCTION void operator()(const int i) const { view(i) = i; }
};

/// 0, 1, 2, ... written where the View's own kernels run.
template <class View>
void fill_with_index(const View& view) {
  using Policy = Kokkos::RangePolicy<typename View::execution_space>;
  Kokkos::parallel_for("haloheap::unit::index", Policy(0, view.extent_int(0)), FillWithIndex<View>{view});
  Kokkos::fence("haloheap::unit::index");
}

using HostArray = Kokkos::View<double*, Kokkos::HostSpace>;

template <class View>
HostArray on_host(const View& view) {
  HostArray host("on_host", view.extent(0));
  Kokkos::deep_copy(host, view);
  return host;
}

template <class Space>
class MemorySpace : public ::testing::Test {
 protected:
  using Array = Kokkos::View<double*, Space>;

  void SetUp() override {
    for (const ResourceEntry& info : memory_resources()) {
      if (info.name == resource_name<Space>() && !info.available()) GTEST_SKIP() << info.unavailable_reason();
    }
    resource = std::make_shared<StatisticsResource>(make_memory_resource(resource_name<Space>()));
  }
  std::size_t live() const { return resource->snapshot().live_count; }
  Array make(const std::string& label, std::size_t size) const {
    return Array(Kokkos::view_alloc(Space(resource), label), size);
  }

  std::shared_ptr<StatisticsResource> resource;
};

using Spaces = ::testing::Types<PageableSpace, DeviceSpace, SharedSpace>;
TYPED_TEST_SUITE(MemorySpace, Spaces);

TYPED_TEST(MemorySpace, is_a_kokkos_memory_space) {
  static_assert(Kokkos::is_memory_space_v<TypeParam>);
  static_assert(std::is_same_v<typename TypeParam::device_type::memory_space, TypeParam>);
  EXPECT_EQ(std::string(TypeParam::name()).rfind("Haloheap", 0), 0U);
}

TYPED_TEST(MemorySpace, a_view_takes_its_memory_from_the_resource_and_gives_it_back) {
  {
    const auto a = this->make("a", 100);
    EXPECT_EQ(this->live(), 1U);
    EXPECT_EQ(a.label(), "a");
    const auto b = typename TestFixture::Array(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, TypeParam(this->resource), "b"), 7);
    const typename TypeParam::execution_space execution;
    const auto c =
        typename TestFixture::Array(Kokkos::view_alloc(execution, TypeParam(this->resource), "c"), 10);
    execution.fence();
    EXPECT_EQ(this->live(), 3U);
    EXPECT_GE(this->resource->snapshot().live_bytes, 117 * sizeof(double));
  }
  EXPECT_EQ(this->live(), 0U);
}

TYPED_TEST(MemorySpace, a_view_is_zero_at_first) {
  const auto a = this->make("a", 333);
  const auto host = on_host(a);
  for (std::size_t i = 0; i < 333; ++i) ASSERT_EQ(host(i), 0.0) << i;
}

TYPED_TEST(MemorySpace, a_view_keeps_its_resource_alive) {
  const std::weak_ptr<MemoryResource> watch = this->resource;
  auto a = this->make("a", 10);
  this->resource.reset();
  EXPECT_FALSE(watch.expired());
  a = typename TestFixture::Array();
  EXPECT_TRUE(watch.expired());
}

TYPED_TEST(MemorySpace, kernels_write_and_deep_copy_reads) {
  const auto a = this->make("a", 100);
  const auto b = this->make("b", 100);
  fill_with_index(a);
  Kokkos::deep_copy(b, a);
  EXPECT_EQ(on_host(b)(7), 7.0);
  Kokkos::deep_copy(b, 3.0);
  EXPECT_EQ(on_host(b)(99), 3.0);
  const auto host = on_host(a);
  host(5) = 50;
  Kokkos::deep_copy(a, host);
  EXPECT_EQ(on_host(a)(5), 50.0);
  const auto part = Kokkos::subview(a, std::make_pair(2, 9));
  Kokkos::deep_copy(Kokkos::subview(b, std::make_pair(2, 9)), part);
  EXPECT_EQ(on_host(b)(5), 50.0);
  EXPECT_EQ(on_host(b)(9), 3.0);
}

TYPED_TEST(MemorySpace, deep_copy_on_an_instance) {
  const typename TypeParam::execution_space execution;
  const auto a = this->make("a", 64);
  const auto b = this->make("b", 64);
  Kokkos::deep_copy(execution, a, 2.5);
  Kokkos::deep_copy(execution, b, a);
  execution.fence();
  EXPECT_EQ(on_host(b)(63), 2.5);
}

template <class To, class From>
void expect_copy_between() {
  const Kokkos::View<double*, From> from("from", 50);
  const Kokkos::View<double*, To> to("to", 50);
  fill_with_index(from);
  Kokkos::deep_copy(to, from);
  EXPECT_EQ(on_host(to)(49), 49.0) << To::name() << " from " << From::name();
}

TYPED_TEST(MemorySpace, copies_to_and_from_every_other_space) {
  expect_copy_between<TypeParam, PageableSpace>();
  expect_copy_between<TypeParam, DeviceSpace>();
  expect_copy_between<TypeParam, SharedSpace>();
  expect_copy_between<TypeParam, Kokkos::HostSpace>();
  expect_copy_between<TypeParam, Kokkos::DefaultExecutionSpace::memory_space>();
  expect_copy_between<Kokkos::HostSpace, TypeParam>();
  expect_copy_between<Kokkos::DefaultExecutionSpace::memory_space, TypeParam>();
}

TYPED_TEST(MemorySpace, a_mirror_is_the_view_itself_only_where_the_host_reaches_it) {
  constexpr bool reached = !std::is_same_v<TypeParam, DeviceSpace>;
  const auto a = this->make("a", 20);
  fill_with_index(a);
  const auto mirror = Kokkos::create_mirror_view(a);
  EXPECT_EQ(static_cast<const void*>(mirror.data()) == static_cast<const void*>(a.data()), reached);
  const auto filled = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), a);
  EXPECT_EQ(filled(19), 19.0);
  const auto copy = Kokkos::create_mirror(a);
  EXPECT_NE(static_cast<const void*>(copy.data()), static_cast<const void*>(a.data()));
}

TYPED_TEST(MemorySpace, mirrors_of_host_views_take_the_given_resource) {
  const HostArray host("host", 30);
  fill_with_index(host);
  const auto here = Kokkos::create_mirror(Kokkos::view_alloc(TypeParam(this->resource)), host);
  EXPECT_EQ(this->live(), 1U);
  Kokkos::deep_copy(here, host);
  EXPECT_EQ(on_host(here)(29), 29.0);
  const auto default_here = Kokkos::create_mirror_view_and_copy(TypeParam(), host);
  EXPECT_EQ(on_host(default_here)(3), 3.0);
}

TYPED_TEST(MemorySpace, strided_parts_copy_within_the_space) {
  using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, TypeParam>;
  const Matrix a(Kokkos::view_alloc(TypeParam(this->resource), "a"), 8, 9);
  const Matrix b(Kokkos::view_alloc(TypeParam(this->resource), "b"), 8, 9);
  const auto part = [](const Matrix& m) {
    return Kokkos::subview(m, std::make_pair(1, 4), std::make_pair(2, 6));
  };
  Kokkos::deep_copy(part(a), 2.0);
  Kokkos::deep_copy(part(b), part(a));
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> host("host", 8, 9);
  Kokkos::deep_copy(host, b);
  double sum = 0;
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 9; ++j) sum += host(i, j);
  }
  EXPECT_EQ(sum, 24.0);
  EXPECT_EQ(host(1, 2), 2.0);
  EXPECT_EQ(host(3, 5), 2.0);
}

TYPED_TEST(MemorySpace, serves_kokkos_malloc_from_its_default_resource) {
  void* block = Kokkos::kokkos_malloc<TypeParam>("block", 64);
  ASSERT_NE(block, nullptr);
  block = Kokkos::kokkos_realloc<TypeParam>(block, 4096);
  ASSERT_NE(block, nullptr);
  Kokkos::kokkos_free<TypeParam>(block);
}

TYPED_TEST(MemorySpace, serves_a_dual_view) {
  Kokkos::DualView<double*, TypeParam> pair("pair", 16);
  Kokkos::deep_copy(pair.view_host(), 4.0);
  pair.modify_host();
  pair.sync_device();
  EXPECT_EQ(on_host(pair.view_device())(15), 4.0);
  EXPECT_EQ(static_cast<const void*>(pair.view_device().data()) ==
                static_cast<const void*>(pair.view_host().data()),
            (!std::is_same_v<TypeParam, DeviceSpace>));
}

TYPED_TEST(MemorySpace, out_of_memory_keeps_its_type_and_label) {
  const auto faulty = std::make_shared<FaultyResource>(this->resource, 1);
  try {
    typename TestFixture::Array a(Kokkos::view_alloc(TypeParam(faulty), "haloheap::unit::big"), 10);
    FAIL();
  } catch (const OutOfMemory& error) {
    EXPECT_NE(std::string(error.what()).find("'haloheap::unit::big'"), std::string::npos) << error.what();
  }
  EXPECT_EQ(this->live(), 0U);
}

std::vector<std::string> events;

TYPED_TEST(MemorySpace, tools_see_allocation_and_release) {
  events.clear();
  const auto old = Kokkos::Tools::Experimental::get_callbacks();
  Kokkos::Tools::Experimental::set_allocate_data_callback(
      [](Kokkos_Profiling_SpaceHandle space, const char* label, const void*, uint64_t bytes) {
        events.push_back(std::string("+") + space.name + " " + label + " " + std::to_string(bytes));
      });
  Kokkos::Tools::Experimental::set_deallocate_data_callback(
      [](Kokkos_Profiling_SpaceHandle space, const char* label, const void*, uint64_t bytes) {
        events.push_back(std::string("-") + space.name + " " + label + " " + std::to_string(bytes));
      });
  this->make("seen", 100);
  Kokkos::Tools::Experimental::set_callbacks(old);
  const std::string event = std::string(TypeParam::name()) + " seen 800";
  EXPECT_EQ(events, (std::vector<std::string>{"+" + event, "-" + event}));
}

TYPED_TEST(MemorySpace, needs_a_resource) {
  EXPECT_THROW(TypeParam(nullptr), UsageError);
}

TEST(MemorySpaces, say_why_a_resource_does_not_fit) {
  for (const ResourceEntry& info : memory_resources()) {
    if (info.name == "device" && !info.available()) GTEST_SKIP() << info.unavailable_reason();
  }
  try {
    PageableSpace(make_memory_resource("device"));
    FAIL();
  } catch (const UsageError& error) {
    const std::string text = error.what();
    EXPECT_EQ(
        text.substr(0, text.find('\n')),
        "memory space HaloheapPageable cannot stand on memory resource 'device': the host cannot access it");
  }
  EXPECT_THROW(SharedSpace(make_memory_resource("device")), UsageError);
}

template <class To, class From>
inline constexpr bool assignable = Kokkos::Impl::MemorySpaceAccess<To, From>::assignable;

TEST(MemorySpaces, a_view_becomes_another_space_s_only_if_that_promises_no_more) {
  EXPECT_TRUE((assignable<DeviceSpace, SharedSpace>));
  EXPECT_FALSE((assignable<SharedSpace, DeviceSpace>));
  EXPECT_FALSE((assignable<PageableSpace, DeviceSpace>));
  EXPECT_FALSE((assignable<DeviceSpace, PageableSpace>));
  EXPECT_TRUE((assignable<Kokkos::HostSpace, PageableSpace>));
  EXPECT_FALSE((assignable<PageableSpace, Kokkos::HostSpace>));
  EXPECT_TRUE((assignable<Kokkos::DefaultExecutionSpace::memory_space, DeviceSpace>));
}

TEST(MemorySpaces, memory_goes_back_to_its_resource_from_a_view_of_another_type) {
  const auto resource = std::make_shared<StatisticsResource>(make_memory_resource("pageable"));
  Kokkos::View<double*, PageableSpace> ours(Kokkos::view_alloc(PageableSpace(resource), "a"), 10);
  HostArray theirs = ours;
  ours = {};
  EXPECT_EQ(resource->snapshot().live_count, 1U);
  theirs = {};
  EXPECT_EQ(resource->snapshot().live_count, 0U);
}

}  // namespace
}  // namespace haloheap::memory
