// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/core/coherence/vector.hpp>
#include <haloheap/unit/core/coherence/settings.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <optional>

namespace haloheap::coherence {
namespace {

const std::string remedy = "\n  remedy: keep it between Kokkos::initialize and Kokkos::finalize";

/// One test: a process can start Kokkos once.
TEST(CoherenceKokkos, has_to_run_as_long_as_a_context) {
  EXPECT_EQ(refusal([] { Context context; }),
            "coherence::Context is used before Kokkos::initialize" + remedy);
  Kokkos::initialize();
  std::optional<Context> context(std::in_place);
  std::optional<Vector<int>> v(std::in_place, *context, "v", std::initializer_list<int>{1, 2, 3});
  EXPECT_EQ(reduce(all_devices, "haloheap::test::sum", Sum<int>{}, *v), 6)
      << "leaves a container of the context's own";
  Kokkos::finalize();
  const std::string after = "coherence::Context is used after Kokkos::finalize" + remedy;
  EXPECT_EQ(refusal([] { Context another; }), after);
  EXPECT_EQ(refusal([&] { (void)v->read(on_device(0)); }), after);
  EXPECT_EQ(refusal([&] { v->update_host(); }), after);
  EXPECT_EQ(refusal([&] { v->resize(2); }), after);
  EXPECT_EQ(refusal([&] { Vector<int>(*context, "w", 1); }), after);
  EXPECT_EQ(refusal([&] { context->fence(); }), after);
  testing::internal::CaptureStderr();
  context.reset();
  v.reset();
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "haloheap: error in coherence::Context::~Context: coherence::Context is used after "
            "Kokkos::finalize; remedy: keep it between Kokkos::initialize and Kokkos::finalize\n");
}

}  // namespace
}  // namespace haloheap::coherence
