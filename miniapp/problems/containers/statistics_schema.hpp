// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_STATISTICS_SCHEMA_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_STATISTICS_SCHEMA_HPP

#include <haloheap/miniapp/schema.hpp>

namespace haloheap {

/// Adds the section statistics, of problems ppmcc and mse.
void add_statistics_keys(deck::Schema& schema, const SchemaChoices& choices);

}  // namespace haloheap

#endif
