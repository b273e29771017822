// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_ADVISE_TRANSFER_ADVICE_HPP
#define HALOHEAP_MINIAPP_ADVISE_TRANSFER_ADVICE_HPP

#include <haloheap/miniapp/advise/advice.hpp>

namespace haloheap::advise {

/// Mode, schedule and streams of a deck whose arrays are copied, by the model of streams.
Advice advise_transfers(const deck::Deck& deck, const Scope& scope, PointRunner& runner);

}  // namespace haloheap::advise

#endif
