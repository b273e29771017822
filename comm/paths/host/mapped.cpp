// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/mapped.hpp>
#include <haloheap/comm/paths/host/message_path.hpp>
#include <haloheap/core/memory/registry.hpp>

namespace haloheap::comm::detail {

std::unique_ptr<HaloPath> make_mapped_path(PathSetup setup) {
  return make_message_path(setup, memory::make_memory_resource("pinned"), nullptr);
}

}  // namespace haloheap::comm::detail
