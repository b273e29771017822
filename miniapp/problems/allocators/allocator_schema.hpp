// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ALLOCATOR_SCHEMA_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ALLOCATOR_SCHEMA_HPP

#include <haloheap/miniapp/schema.hpp>

namespace haloheap {

/// Adds the section allocator, for all problems that allocate in kernels.
void add_allocator_keys(deck::Schema& schema, const SchemaChoices& choices);

}  // namespace haloheap

#endif
