// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/kokkos_running.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <string>

namespace haloheap {
namespace {

std::string refusal() {
  try {
    require_kokkos("Thing");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

// One test: a process can start Kokkos once.
TEST(KokkosRunning, is_required_before_during_and_after) {
  const std::string remedy = "\n  remedy: keep it between Kokkos::initialize and Kokkos::finalize";
  EXPECT_EQ(refusal(), "Thing is used before Kokkos::initialize" + remedy);
  Kokkos::initialize();
  EXPECT_EQ(refusal(), "");
  Kokkos::finalize();
  EXPECT_EQ(refusal(), "Thing is used after Kokkos::finalize" + remedy);
}

}  // namespace
}  // namespace haloheap
