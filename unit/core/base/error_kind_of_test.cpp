// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error_kind_of.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace haloheap::base {
namespace {

TEST(ErrorKindOf, is_that_of_errors_of_ones_own) {
  EXPECT_EQ(error_kind_of(UsageError("a")), ErrorKind::usage);
  EXPECT_EQ(error_kind_of(OutOfMemory(8, "a")), ErrorKind::out_of_memory);
}

TEST(ErrorKindOf, is_internal_for_what_nobody_foresaw) {
  EXPECT_EQ(error_kind_of(std::runtime_error("a")), ErrorKind::internal);
}

TEST(ErrorKindOf, is_memory_for_views_that_are_too_large) {
  EXPECT_EQ(error_kind_of(std::bad_alloc()), ErrorKind::out_of_memory);
  try {
    // More than an address space has.
    const Kokkos::View<char*> view("haloheap::unit::too_large", std::size_t{1} << 62);
    FAIL() << view.size();
  } catch (const std::exception& error) {
    EXPECT_EQ(error_kind_of(error), ErrorKind::out_of_memory) << error.what();
  }
}

}  // namespace
}  // namespace haloheap::base
