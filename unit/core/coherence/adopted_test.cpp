// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Containers of memory that somebody else has, and containers under the names of Kokkos::DualView.
#include <haloheap/core/coherence/dual_view.hpp>
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/unit/core/coherence/functions.hpp>
#include <haloheap/unit/core/coherence/settings.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

namespace haloheap::coherence {
namespace {

template <class View>
struct AddTen {
  View view;
  KOKKOS_FUNCTION void operator()(int i) const { view.data()[i] += 10; }
};

class CoherenceAdopted : public testing::TestWithParam<Setting> {
 protected:
  Context context{GetParam().options()};
};

TEST_P(CoherenceAdopted, memory_of_a_pointer_has_the_newest_values_in_the_end) {
  std::vector<int> mine{1, 2, 3, 4, 5};
  {
    Vector<int> v(context, "v", mine.data(), 5);
    EXPECT_EQ(&v.unchecked(0), mine.data());
    map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
    v[1] = 70;
    map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
  }
  EXPECT_EQ(mine, (std::vector<int>{3, 71, 5, 6, 7}));
  {
    Vector<int> v(context, "v", mine.data(), 5);
    map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
    v = Vector<int>(context, "another", 1);
    EXPECT_EQ(mine, (std::vector<int>{4, 72, 6, 7, 8})) << "also of one that is assigned to";
  }
  std::vector<int> six(6, 1);
  {
    Matrix<int> m(context, "m", six.data(), 2, 3);
    map(all_devices, "haloheap::test::add_one", m, AddOne{}, m);
    Matrix<int> other = std::move(m);
  }
  EXPECT_EQ(six, std::vector<int>(6, 2)) << "also of one that was moved";
}

TEST_P(CoherenceAdopted, views_live_on_with_their_container) {
  Kokkos::View<int*, Kokkos::HostSpace> line("line", 7);
  Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> plane("plane", 3, 4);
  Kokkos::View<int***, Kokkos::LayoutRight, Kokkos::HostSpace> block("block", 2, 3, 4);
  {
    std::optional<Kokkos::View<int*, Kokkos::HostSpace>> short_lived(std::in_place, "short", 3);
    Vector<int> v(context, "v", *short_lived), all(context, "all", line);
    short_lived.reset();
    Matrix<int> m(context, "m", plane);
    Tensor3<int> t(context, "t", block);
    map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
    map(all_devices, "haloheap::test::add_one", all, AddOne{}, all);
    map(all_devices, "haloheap::test::add_one", m, AddOne{}, m);
    map(all_devices, "haloheap::test::add_one", t, AddOne{}, t);
    EXPECT_EQ(v[2], 1);
    t(1, 2, 3) = 9;
  }
  EXPECT_EQ(line(6), 1);
  EXPECT_EQ(plane(2, 3), 1);
  EXPECT_EQ(block(1, 2, 2) * 10 + block(1, 2, 3), 19);
}

TEST_P(CoherenceAdopted, memory_neither_grows_nor_has_gaps) {
  std::vector<int> mine{1, 2, 3};
  Vector<int> v(context, "v", mine.data(), 3);
  const std::string what =
      "'haloheap::coherence::v' cannot have other memory than the 12 bytes that it adopted, and is to have "
      "24\n"
      "  consequence: it is as before\n"
      "  remedy: copy the elements to a container with memory of its own";
  EXPECT_EQ(refusal([&] { v.push_back(4); }), what);
  EXPECT_EQ(refusal([&] { v.resize(6); }), what);
  v.erase(v.begin());
  EXPECT_EQ(std::vector<int>(v.begin(), v.end()), (std::vector<int>{2, 3}));
  v.push_back(9);
  EXPECT_EQ(mine, (std::vector<int>{2, 3, 9}));
  Kokkos::View<int**, Kokkos::LayoutLeft, Kokkos::HostSpace> left("left", 3, 4);
  EXPECT_EQ(refusal([&] { Matrix<int>(context, "m", left); }),
            "'m' cannot adopt the View 'left': its elements do not lie row after row without gaps\n"
            "  consequence: there is no container\n"
            "  remedy: give the View the layout Kokkos::LayoutRight, and no padding");
  Vector<int> none(context, "none", Kokkos::View<int*, Kokkos::HostSpace>());
  EXPECT_TRUE(none.empty());
}

TEST_P(CoherenceAdopted, memory_is_used_in_part_where_rows_keep_their_length) {
  std::vector<int> mine{1, 2, 3, 4, 5, 6};
  {
    Vector<int> v(context, "v", mine.data(), 6);
    map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
    v.resize(4);
    EXPECT_EQ(std::vector<int>(v.begin(), v.end()), (std::vector<int>{2, 3, 4, 5}));
    EXPECT_EQ(v.capacity(), 6);
    v.resize(5);
    v[4] = 9;
    v.assign(2, 8);
  }
  EXPECT_EQ(mine, (std::vector<int>{8, 8, 4, 5, 9, 7}));
  Matrix<int> m(context, "m", mine.data(), 2, 3);
  map(all_devices, "haloheap::test::add_one", m, AddOne{}, m);
  EXPECT_EQ(refusal([&] { m.resize(3, 2); }),
            "rows of 'm' cannot have 2 elements: in the memory that it adopted they have 3\n"
            "  consequence: it is as before\n"
            "  remedy: copy the elements to a container with memory of its own");
  EXPECT_NE(refusal([&] { m.resize(1, 6); }), "no error");
  EXPECT_NE(refusal([&] { m.resize(3, 3); }), "no error");
  EXPECT_EQ(std::vector<int>(m.begin(), m.end()), (std::vector<int>{9, 9, 5, 6, 10, 8}));
  m.resize(1, 3);
  EXPECT_EQ(std::vector<int>(m.begin(), m.end()), (std::vector<int>{9, 9, 5}));
  m.resize(2, 3);
  EXPECT_EQ(m(0, 2), 5);
}

INSTANTIATE_TEST_SUITE_P(Settings, CoherenceAdopted, testing::ValuesIn(all_settings()),
                         [](const auto& test) { return name_of(test.param); });

class CoherenceDualView : public testing::TestWithParam<Setting> {
 protected:
  Context context{GetParam().options()};

  /// As a program does that was written for Kokkos::DualView: on any instance, and then a wait.
  template <class Dual>
  static void add_ten(const Dual& dual, int size) {
    const auto view = dual.view_device();
    Kokkos::parallel_for("haloheap::test::add_ten", Kokkos::RangePolicy<Context::Exec>(0, size),
                         AddTen<std::decay_t<decltype(view)>>{view});
    Kokkos::fence();
  }
};

TEST_P(CoherenceDualView, syncs_what_was_modified) {
  if (context.devices() == 0 && !backend::kernels_on_host) GTEST_SKIP() << "kernels reach no host's memory";
  Vector<int> v(context, "v", 6);
  std::iota(v.begin(), v.end(), 0);
  {
    DualView dual(v);
    EXPECT_FALSE(dual.need_sync_host());
    dual.sync_device();
    add_ten(dual, 6);
    dual.modify_device();
    EXPECT_EQ(dual.need_sync_host(), context.devices() > 0);
    EXPECT_FALSE(dual.need_sync_device());
    dual.sync_host();
    EXPECT_EQ(dual.view_host()(5), 15);
    EXPECT_EQ(dual.view_host().data(), &v.unchecked(0));
    dual.view_host()(0) = 100;
    dual.modify_host();
    EXPECT_EQ(dual.need_sync_device(), context.devices() > 0);
    map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);  // and whoever does not know of it
    dual.sync_device();
    add_ten(dual, 6);
    dual.modify_device();
  }
  EXPECT_EQ(std::vector<int>(v.begin(), v.end()), (std::vector<int>{111, 22, 23, 24, 25, 26}));
}

TEST_P(CoherenceDualView, is_known_by_spaces_too) {
  if (context.devices() == 0 && !backend::kernels_on_host) GTEST_SKIP() << "kernels reach no host's memory";
  Matrix<int> m(context, "m", 3, 4);
  m.fill(1);
  Tensor3<int> t(context, "t", 2, 3, 4);
  t.fill(2);
  DualView<Matrix<int>> of_matrix(m);
  const DualView of_tensor(t);
  of_matrix.sync<Context::Exec>();
  EXPECT_EQ(of_matrix.view<Kokkos::HostSpace>()(2, 3), 1);
  of_matrix.view<Kokkos::HostSpace>()(2, 3) = 4;
  of_matrix.modify<Kokkos::HostSpace>();
  of_matrix.sync<Kokkos::HostSpace>();
  EXPECT_EQ(std::as_const(m)(2, 3), 4);
  EXPECT_EQ(of_tensor.view_host().extent(2), 4U);
  EXPECT_EQ(of_tensor.view_device().extent(0), 2U);
}

TEST_P(CoherenceDualView, both_changed_is_an_error) {
  if (context.devices() == 0) GTEST_SKIP() << "no device";
  Vector<int> v(context, "v", 6);
  v.fill(1);
  DualView dual(v);
  dual.sync_device();
  dual.modify_host();
  EXPECT_EQ(refusal([&] { dual.modify_device(); }),
            "'v' was changed on the device, and elsewhere before\n"
            "  consequence: one of the changes would be lost\n"
            "  remedy: call sync before the elements are changed");
  dual.sync_device();
  dual.modify_device();
  EXPECT_EQ(refusal([&] { dual.modify_host(); }).substr(0, 51),
            "'v' was changed on the host, and elsewhere before\n ");
}

TEST_P(CoherenceDualView, keeps_the_container_as_it_is) {
  if (context.devices() == 0) GTEST_SKIP() << "no device";
  Vector<int> v(context, "v", 6), none(context, "none", 0);
  v.fill(1);
  {
    DualView dual(v), of_none(none);
    const auto view = dual.view_device();
    EXPECT_EQ(refusal([&] { v.resize(7); }),
              "'v' cannot be resized while [0, 6) of it is in use on device 0\n"
              "  consequence: the use would lose its elements\n"
              "  remedy: end the use first");
    v.release_devices();
    dual.sync_device();
    EXPECT_EQ(dual.view_device().data(), view.data());
    EXPECT_TRUE(of_none.view_device().size() == 0 && of_none.view_host().size() == 0);
    EXPECT_THROW(DualView(v, context.devices()), UsageError);
  }
  v.resize(7);
  {
    std::optional<Vector<int>> gone(std::in_place, context, "gone", 3);
    const DualView dual(*gone);
    gone.reset();
    EXPECT_THROW(context.fence(), UsageError);
  }
  EXPECT_EQ(v.size(), 7);
}

/// Which is an error, that the context tells of; the elements of the DualView are nobody's then.
TEST_P(CoherenceDualView, ends_after_its_container_or_its_context) {
  if (context.devices() == 0) GTEST_SKIP() << "no device";
  {
    alignas(Vector<int>) std::array<std::byte, sizeof(Vector<int>)> place{};
    auto* const gone = new (place.data()) Vector<int>(context, "gone", 3);
    const DualView dual(*gone);
    std::destroy_at(gone);
    place.fill(std::byte{0});
  }
  EXPECT_THROW(context.fence(), UsageError);
  std::optional<Context> short_lived(std::in_place, GetParam().options());
  Vector<int> v(*short_lived, "v", 3);
  DualView dual(v);
  short_lived.reset();
  EXPECT_THROW(dual.sync_host(), UsageError);
}

/// Where the elements are now is for a new DualView to say.
TEST_P(CoherenceDualView, is_of_no_use_once_its_container_was_moved) {
  if (context.devices() == 0) GTEST_SKIP() << "no device";
  Vector<int> v(context, "v", 3);
  v.fill(1);
  std::optional<DualView<Vector<int>>> dual(v);
  Vector<int> moved(std::move(v));
  const std::string cause = "the container of a DualView has ended or been moved";
  const auto refused = [&](const auto& use) { return refusal(use).substr(0, cause.size()); };
  EXPECT_EQ(refused([&] { dual->sync_host(); }), cause);
  EXPECT_EQ(refused([&] { dual->modify_device(); }), cause);
  EXPECT_EQ(refused([&] { (void)dual->view_host(); }), cause);
  EXPECT_EQ(refused([&] { (void)dual->view_device(); }), cause);
  dual.reset();
  DualView<Vector<int>> now(moved);
  now.sync_host();
  EXPECT_EQ(now.view_host()(2), 1);
}

std::vector<Setting> settings_of_lasting_copies() {
  std::vector<Setting> all = all_settings();
  std::erase_if(all,
                [](const Setting& setting) { return setting.devices > 0 && !setting.entry().keeps_copies; });
  return all;
}

INSTANTIATE_TEST_SUITE_P(Settings, CoherenceDualView, testing::ValuesIn(settings_of_lasting_copies()),
                         [](const auto& test) { return name_of(test.param); });

TEST(CoherenceDualViewPolicy, whose_copies_do_not_last_is_refused) {
  for (const PolicyEntry& policy : policies()) {
    if (policy.keeps_copies) continue;
    Context context(Setting{policy.name, 1, true, false}.options());
    Vector<int> v(context, "v", 3);
    try {
      const DualView dual(v);
      FAIL() << policy.name;
    } catch (const CapabilityError& error) {
      EXPECT_STREQ(error.what(),
                   "copies on devices do not last, and [0, 3) of 'v' is to have one\n"
                   "  consequence: there is no such copy\n"
                   "  remedy: use the policy region or paper");
    }
  }
}

}  // namespace
}  // namespace haloheap::coherence
