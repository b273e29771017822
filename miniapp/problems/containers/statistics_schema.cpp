// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/containers/statistics_schema.hpp>

namespace haloheap {

void add_statistics_keys(deck::Schema& schema, const SchemaChoices& /*choices*/) {
  deck::Section& section = schema.section("statistics", "Problems ppmcc and mse: two vectors");
  section.integer("elements", 1 << 20).range(1, 1LL << 34).unit("elements").help("Of each vector, double");
}

}  // namespace haloheap
