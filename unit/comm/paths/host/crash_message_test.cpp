// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/crash_message.hpp>

#include <gtest/gtest.h>

namespace haloheap::comm {
namespace {

void crash(int signal) {
  const detail::CrashMessage message;
  raise(signal);
}

TEST(CrashMessage, ends_the_process_with_a_text_and_the_exit_code_of_a_missing_capability) {
  const char* const text =
      "haloheap: MPI crashed on device memory: this library is not GPU-aware; use transport pinned\n";
  EXPECT_EXIT(crash(SIGSEGV), ::testing::ExitedWithCode(3), text);
  EXPECT_EXIT(crash(SIGBUS), ::testing::ExitedWithCode(3), text);
}

TEST(CrashMessage, leaves_other_handlers_as_they_were) {
  for (const int signal : {SIGSEGV, SIGBUS}) {
    struct sigaction before = {}, during = {}, after = {};
    sigaction(signal, nullptr, &before);
    {
      const detail::CrashMessage message;
      sigaction(signal, nullptr, &during);
    }
    sigaction(signal, nullptr, &after);
    EXPECT_NE(during.sa_handler, before.sa_handler);
    EXPECT_EQ(after.sa_handler, before.sa_handler);
  }
}

}  // namespace
}  // namespace haloheap::comm
