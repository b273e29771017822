// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_COLLECTIVES_SCHEMA_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_COLLECTIVES_SCHEMA_HPP

#include <haloheap/miniapp/schema.hpp>

namespace haloheap {

/// Adds the section collectives.
void add_collectives_keys(deck::Schema& schema, const SchemaChoices& choices);

}  // namespace haloheap

#endif
