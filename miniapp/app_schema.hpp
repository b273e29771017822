// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_APP_SCHEMA_HPP
#define HALOHEAP_MINIAPP_APP_SCHEMA_HPP

#include <haloheap/miniapp/deck/schema.hpp>

namespace haloheap {

struct ProblemEntry;

/// The schema of this build: problems, transports and memory resources by their lists.
deck::Schema app_schema();

/// The keys of it that a problem uses.
deck::Schema schema_of(const ProblemEntry& problem);

}  // namespace haloheap

#endif
