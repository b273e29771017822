// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_ADVISE_ALLOCATOR_ADVICE_HPP
#define HALOHEAP_MINIAPP_ADVISE_ALLOCATOR_ADVICE_HPP

#include <haloheap/miniapp/advise/advice.hpp>

namespace haloheap::advise {

/// The allocator of a deck whose kernels allocate, by runs of all that can serve it.
Advice advise_allocators(const deck::Deck& deck, const Scope& scope, PointRunner& runner);

}  // namespace haloheap::advise

#endif
