// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_ADVISE_GRID_ADVICE_HPP
#define HALOHEAP_MINIAPP_ADVISE_GRID_ADVICE_HPP

#include <haloheap/comm/advise/halo_adviser.hpp>
#include <haloheap/miniapp/advise/advice.hpp>

namespace haloheap::advise {

/// Depth, exchange, overlap, transport, fused steps and graph of the deck of a problem on a grid, by the
/// model of deep halos; and how its field is copied, by that of streams.
Advice advise_grid(const deck::Deck& deck, const Scope& scope, PointRunner& runner);

/// What may be chosen of the deck of a problem on a grid, but for the rules between its keys. Collective.
comm::HaloOptions halo_options(const deck::Deck& deck, const Scope& scope, PointRunner& runner);

/// Fields that are made on the device are not copied: what says how is of no use then.
bool grid_uses(const deck::Deck& deck, const std::string& key);

}  // namespace haloheap::advise

#endif
