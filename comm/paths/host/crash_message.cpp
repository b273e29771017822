// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/crash_message.hpp>
#include <haloheap/core/base/error.hpp>

#include <unistd.h>

namespace haloheap::comm::detail {
namespace {

constexpr char crash_text[] =
    "haloheap: MPI crashed on device memory: this library is not GPU-aware; use transport pinned\n";

extern "C" {
static void haloheap_on_crash(int) {  // static: functions of C have no namespace
  // Nothing but this is allowed here.
  [[maybe_unused]] const auto written = write(STDERR_FILENO, crash_text, sizeof crash_text - 1);
  _exit(static_cast<int>(ErrorKind::capability));
}
}

}  // namespace

CrashMessage::CrashMessage() {
  Action action{};
  action.sa_handler = haloheap_on_crash;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &segmentation_before_);
  sigaction(SIGBUS, &action, &bus_before_);
}

CrashMessage::~CrashMessage() {
  sigaction(SIGSEGV, &segmentation_before_, nullptr);
  sigaction(SIGBUS, &bus_before_, nullptr);
}

}  // namespace haloheap::comm::detail
