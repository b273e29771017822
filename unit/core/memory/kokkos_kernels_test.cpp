// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Views in haloheap's memory spaces are ordinary Views to Kokkos-Kernels.
#include <haloheap/core/memory/array.hpp>
#include <haloheap/core/memory/kernel_access.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <KokkosBlas.hpp>
#include <gtest/gtest.h>

namespace {

using namespace haloheap;

TEST(KokkosKernels, WorksOnEveryResourceThatKernelsReach) {
  int tried = 0;
  for (const memory::ResourceEntry& info : memory::memory_resources()) {
    if (!info.available() ||
        !memory::kernel_accessible(memory::make_memory_resource(info.name)->properties()))
      continue;
    ++tried;
    const auto x =
        memory::make_array<double>(memory::make_memory_resource(info.name), "haloheap::test::x", 1000);
    const auto y =
        memory::make_array<double>(memory::make_memory_resource(info.name), "haloheap::test::y", 1000);
    KokkosBlas::fill(x.view(), 3.0);
    KokkosBlas::fill(y.view(), -4.0);
    KokkosBlas::axpby(2.0, x.view(), 1.0, y.view());  // y = 6 - 4
    EXPECT_EQ(KokkosBlas::dot(x.view(), y.view()), 6000.0) << info.name;
    EXPECT_EQ(KokkosBlas::nrminf(y.view()), 2.0) << info.name;
  }
  EXPECT_GE(tried, 1);
}

}  // namespace
