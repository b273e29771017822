// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_MALLOC_SCHEMA_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_MALLOC_SCHEMA_HPP

#include <haloheap/miniapp/schema.hpp>

namespace haloheap {

/// Adds the section malloc.
void add_malloc_keys(deck::Schema& schema, const SchemaChoices& choices);

}  // namespace haloheap

#endif
