// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_TRANSFER_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_TRANSFER_HPP

#include <haloheap/miniapp/problem.hpp>

namespace haloheap {

/// Seed 003's micro-benchmark in all its versions: bound, memory, schedule.
std::unique_ptr<Problem> make_transfer();

}  // namespace haloheap

#endif
