// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// In a test program: HALOHEAP_QUEUES=seed gives each of its tests emulated queues, with a seed of its own.
#include <haloheap/unit/core/backend/emulated_queues.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <optional>

namespace haloheap::testing {
namespace {

class QueuesForEachTest : public ::testing::EmptyTestEventListener {
 public:
  explicit QueuesForEachTest(std::uint64_t seed) : seed_(seed) {}

  void OnTestStart(const ::testing::TestInfo&) override {
    if (EmulatedQueues::possible()) queues_.emplace(seed_++);
  }
  void OnTestEnd(const ::testing::TestInfo&) override {
    if (queues_) overtaking_ += queues_->overtaking();
    queues_.reset();
  }
  void OnTestProgramEnd(const ::testing::UnitTest&) override {
    std::printf("%llu pieces of work overtook others\n", static_cast<unsigned long long>(overtaking_));
  }

 private:
  std::uint64_t seed_, overtaking_ = 0;
  std::optional<EmulatedQueues> queues_;
};

[[maybe_unused]] const bool listening = [] {
  if (const char* const seed = std::getenv("HALOHEAP_QUEUES"))
    ::testing::UnitTest::GetInstance()->listeners().Append(
        new QueuesForEachTest(std::strtoull(seed, nullptr, 10)));
  return true;
}();

}  // namespace
}  // namespace haloheap::testing
