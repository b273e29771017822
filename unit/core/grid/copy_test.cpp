// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/grid/copy.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>

#include <gtest/gtest.h>

namespace haloheap::grid {
namespace {

using namespace testing;

TEST(CopyBaseline, copies_exactly_what_was_asked_for) {
  for (const Index count : {0, 1, 2, 3, 511, 512, 100001})
    for (const Index spare : {0, 3}) {
      const auto from = random_values<float>(count + spare, 1),
                 before = random_values<float>(count + spare, 2);
      const auto source = make_device_array(from), target = make_device_array(before);
      const Kokkos::DefaultExecutionSpace exec;
      copy_baseline(exec, target.data(), source.data(), static_cast<std::size_t>(count) * sizeof(float));
      exec.fence("haloheap::unit::copy");
      auto expected = before;
      std::copy(from.begin(), from.begin() + count, expected.begin());
      EXPECT_EQ(difference(to_host(target), expected), "") << count;
    }
}

}  // namespace
}  // namespace haloheap::grid
