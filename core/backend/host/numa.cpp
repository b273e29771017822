// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/numa.hpp>

namespace haloheap::backend {

int device_numa_node() {
  return -1;
}

}  // namespace haloheap::backend
