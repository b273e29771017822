// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/device_state.hpp>

namespace haloheap::backend {

DeviceState device_state() {
  return {};
}

}  // namespace haloheap::backend
