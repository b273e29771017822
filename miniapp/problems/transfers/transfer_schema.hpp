// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_TRANSFER_SCHEMA_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_TRANSFER_SCHEMA_HPP

#include <haloheap/miniapp/schema.hpp>

namespace haloheap {

/// The transfer mode of problems that need none.
inline constexpr const char* no_transfer_mode = "none";

/// Adds the section transfer with what any problem can take: mode, schedule and streams.
void add_transfer_mode_keys(deck::Schema& schema, const SchemaChoices& choices);

/// Adds the rest of section transfer, which is of problems that measure transfers, and the section link.
void add_transfer_keys(deck::Schema& schema, const SchemaChoices& choices);

}  // namespace haloheap

#endif
