// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/report_error.hpp>

#include <gtest/gtest.h>

namespace haloheap {
namespace {

std::string reported(const std::exception& error) {
  testing::internal::CaptureStderr();
  base::report_from_destructor("Thing::~Thing", error);
  return testing::internal::GetCapturedStderr();
}

TEST(ReportError, says_all_parts_in_one_line) {
  EXPECT_EQ(reported(DeviceError("it broke", "results are lost", "try again")),
            "haloheap: error in Thing::~Thing: it broke; consequence: results are lost; remedy: try again\n");
  EXPECT_EQ(reported(std::runtime_error("it; broke")), "haloheap: error in Thing::~Thing: it; broke\n");
  EXPECT_EQ(reported(std::runtime_error("")), "haloheap: error in Thing::~Thing: \n");
}

TEST(ReportError, what_work_throws_is_reported_and_goes_no_further) {
  testing::internal::CaptureStderr();
  base::report_what_throws("Thing::~Thing", [] {});
  base::report_what_throws("Thing::~Thing", [] { throw UsageError("cause"); });
  base::report_what_throws("Thing::~Thing", [] { throw 3; });
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "haloheap: error in Thing::~Thing: cause\nhaloheap: error in Thing::~Thing: std::bad_exception\n");
}

}  // namespace
}  // namespace haloheap
