// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_GRIDS_BOUNDARY_KEYS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_GRIDS_BOUNDARY_KEYS_HPP

#include <haloheap/core/grid/boundary.hpp>
#include <haloheap/miniapp/deck/deck.hpp>

namespace haloheap {

/// Adds the section boundary, of physics whose sides are periodic, of a fixed value or without flux.
void add_boundary_keys(deck::Schema& schema);

/// @throws UsageError with the place in the deck if one side of a dimension is periodic and the other is not
grid::Boundary read_boundary(const deck::Deck& deck, int dims);

/// "boundary.x_low". @param section that has such keys
std::string side_key(const char* section, int dim, bool high);

}  // namespace haloheap

#endif
