// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/message_path.hpp>
#include <haloheap/comm/paths/host/staged.hpp>
#include <haloheap/comm/paths/peer/copied.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/memory/resources/backend_resource.hpp>

namespace haloheap {

std::unique_ptr<Transport> make_pageable_transport(TransportSetup setup) {
  return make_packed_transport(setup, setup.buffers, make_memory_resource("pageable"));
}

std::unique_ptr<Transport> make_pinned_transport(TransportSetup setup) {
  return make_packed_transport(setup, setup.buffers, make_memory_resource("pinned"));
}

std::unique_ptr<Transport> make_shared_pinned_transport(TransportSetup setup) {
  return make_copied_transport(setup, std::make_shared<BackendResource>(backend::MemoryKind::shared));
}

}  // namespace haloheap
