// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_ADVISE_MACHINE_HPP
#define HALOHEAP_MINIAPP_ADVISE_MACHINE_HPP

#include <haloheap/miniapp/advise/point_runner.hpp>
#include <haloheap/miniapp/report/table.hpp>

namespace haloheap::advise {

/// Bandwidth and latency of each transfer mode, each way. `deck` says what the link is. The runner is of one
/// rank.
report::Table link_table(const deck::Deck& deck, PointRunner& runner);

}  // namespace haloheap::advise

#endif
