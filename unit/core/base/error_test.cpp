// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>

#include <gtest/gtest.h>

namespace haloheap {
namespace {

TEST(Error, says_cause_consequence_and_remedy_and_leaves_out_what_is_empty) {
  EXPECT_STREQ(UsageError("c", "q", "r").what(), "c\n  consequence: q\n  remedy: r");
  EXPECT_STREQ(UsageError("c", "", "r").what(), "c\n  remedy: r");
  EXPECT_STREQ(UsageError("c", "q").what(), "c\n  consequence: q");
  EXPECT_STREQ(UsageError("c").what(), "c");
}

TEST(Error, keeps_its_parts) {
  const UsageError error("c", "q", "r");
  const Error copy = error;
  EXPECT_EQ(copy.cause(), "c");
  EXPECT_EQ(copy.consequence(), "q");
  EXPECT_EQ(copy.remedy(), "r");
}

TEST(Error, every_kind_has_its_own_exit_code) {
  EXPECT_EQ(InternalError("").exit_code(), 1);
  EXPECT_EQ(UsageError("").exit_code(), 2);
  EXPECT_EQ(CapabilityError("").exit_code(), 3);
  EXPECT_EQ(OutOfMemory(1, "").exit_code(), 4);
  EXPECT_EQ(IoError("").exit_code(), 5);
  EXPECT_EQ(CommunicationError("").exit_code(), 6);
  EXPECT_EQ(VerificationError("").exit_code(), 7);
  EXPECT_EQ(DeviceError("").exit_code(), 8);
}

TEST(Error, can_be_caught_by_kind_and_as_what_it_is) {
  EXPECT_THROW(throw OutOfMemory(1, ""), ErrorOf<ErrorKind::out_of_memory>);
  EXPECT_THROW(throw IoError(""), Error);
  EXPECT_THROW(throw IoError(""), std::runtime_error);
  EXPECT_EQ(OutOfMemory(42, "").bytes(), 42U);
}

}  // namespace
}  // namespace haloheap
