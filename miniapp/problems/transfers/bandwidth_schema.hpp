// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_BANDWIDTH_SCHEMA_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_BANDWIDTH_SCHEMA_HPP

#include <haloheap/miniapp/schema.hpp>

namespace haloheap {

/// Adds the section bandwidth.
void add_bandwidth_keys(deck::Schema& schema, const SchemaChoices& choices);

}  // namespace haloheap

#endif
