// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_ARENA_LIST_HPP
#define HALOHEAP_ALLOCATORS_ARENA_LIST_HPP

#include <haloheap/allocators/heap_config.hpp>

#include <cstddef>
#include <string>

namespace haloheap::allocators {

/// Makes each of DeviceAllocators a memory resource of its name: make_memory_resource("slab_walk",
/// {.pool_bytes = n}). Once a process is enough; more do nothing. Thread-safe.
void add_arenas();

/// The names of the allocators whose arenas could serve such a request from such a heap, with commas between
/// them.
std::string arenas_that_serve(std::size_t bytes, const HeapConfig& config);

}  // namespace haloheap::allocators

#endif
