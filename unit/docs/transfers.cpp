// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What docs/guide/transfers.md quotes.
#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

// [pipeline]
#include <haloheap/core/transfer/device_streams.hpp>
#include <haloheap/core/transfer/pipeline.hpp>
// [pipeline]

namespace haloheap::transfers_page {

using namespace haloheap::transfer;

// [pipeline]
struct AddOne {
  haloheap::transfer::DeviceRows<float> rows;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { *rows(i) += 1; }
};
// [pipeline]

TEST(TransfersPage, has_a_pipeline) {
  constexpr std::size_t n = 1000;
  // [pipeline]
  using namespace haloheap::transfer;
  Pipeline pipeline(make_device_streams(8), make_mode("pinned"), Schedule::breadth_first, n);
  const auto a = pipeline.operand<float>("a", Intent::in_out);  // n floats; also rows of any width and pitch
  for (std::size_t i = 0; i < n; ++i) *a.host(i) = i % 10;
  pipeline.set_kernel([=](const haloheap::backend::Exec& exec, const Chunk& chunk) {  // rows of all operands
    Kokkos::parallel_for("add", Kokkos::RangePolicy(exec, chunk.begin, chunk.end), AddOne{a.device()});
  });
  const double seconds = pipeline.run();  // host-to-device, kernel, device-to-host; as often as you like
  // [pipeline]
  EXPECT_GT(seconds, 0);
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(*a.host(i), static_cast<float>(i % 10 + 1)) << i;
}

}  // namespace haloheap::transfers_page
