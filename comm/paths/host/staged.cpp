// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/message_path.hpp>
#include <haloheap/comm/paths/host/staged.hpp>
#include <haloheap/core/memory/registry.hpp>

namespace haloheap::comm::detail {

std::unique_ptr<HaloPath> make_pageable_path(PathSetup setup) {
  return make_message_path(setup, setup.buffers, memory::make_memory_resource("pageable"));
}

std::unique_ptr<HaloPath> make_pinned_path(PathSetup setup) {
  return make_message_path(setup, setup.buffers, memory::make_memory_resource("pinned"));
}

}  // namespace haloheap::comm::detail
