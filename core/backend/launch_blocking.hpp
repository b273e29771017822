// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_LAUNCH_BLOCKING_HPP
#define HALOHEAP_CORE_BACKEND_LAUNCH_BLOCKING_HPP

#include <cstdlib>
#include <string>

namespace haloheap::backend {

/// Why each launch waits on this device until its kernel is done, as a setting for debugging makes it; empty
/// if it does not. A kernel must not wait then for what the host does after the launch. On host backends,
/// where every kernel runs when it is launched, there is no such setting.
std::string launches_block_reason();

/// What a value of CUDA_LAUNCH_BLOCKING means for that; null: it is not set.
inline std::string launches_block_reason(const char* variable) {
  if (variable == nullptr || std::atoi(variable) == 0) return "";
  return "CUDA_LAUNCH_BLOCKING=" + std::string(variable) +
         " is set, and with it each launch waits until its kernel is done";
}

}  // namespace haloheap::backend

#endif
