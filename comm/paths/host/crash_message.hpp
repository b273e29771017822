// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_CRASH_MESSAGE_HPP
#define HALOHEAP_COMM_PATHS_HOST_CRASH_MESSAGE_HPP

#include <csignal>

namespace haloheap::comm::detail {

/// As long as this lives, a segmentation fault or bus error ends the process with a message about device
/// memory and the exit code of a CapabilityError: an MPI library that is not GPU-aware reads device pointers
/// as its own.
class CrashMessage {
 public:
  CrashMessage();
  ~CrashMessage();
  CrashMessage(const CrashMessage&) = delete;
  CrashMessage& operator=(const CrashMessage&) = delete;

 private:
  using Action = struct sigaction;
  Action segmentation_before_{}, bus_before_{};
};

}  // namespace haloheap::comm::detail

#endif
