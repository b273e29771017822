// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/unit/core/coherence/functions.hpp>
#include <haloheap/unit/core/coherence/settings.hpp>

#include <gtest/gtest.h>

namespace haloheap::coherence {
namespace {

/// With all devices that the machine has: where there are several, kernels leave another one current.
TEST(CoherenceContext, LeavesTheCurrentDeviceAsItWas) {
  const int before = backend::current_device();
  {
    Context context;
    EXPECT_EQ(backend::current_device(), before) << "made, and not used";
    Vector<int> v(context, "v", 1000);
    map_index(all_devices, "haloheap::test::index", v, IndexOf{});
    EXPECT_EQ(v[999], 999);
    context.fence();
  }
  EXPECT_EQ(backend::current_device(), before);
}

TEST(CoherenceContext, ThatCannotBeMadeDoesSoToo) {
  const int before = backend::current_device();
  ContextOptions options;
  options.policy = "another";
  EXPECT_THROW(Context context(options), UsageError);
  options = {};
  options.devices = max_devices + 1;
  EXPECT_THROW(Context context(options), CapabilityError);
  EXPECT_EQ(backend::current_device(), before);
}

}  // namespace
}  // namespace haloheap::coherence
