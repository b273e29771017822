// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_BANDWIDTH_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_BANDWIDTH_HPP

#include <haloheap/miniapp/problem.hpp>

namespace haloheap {

/// Copies alone: bandwidth and latency of each way between host and device.
std::unique_ptr<Problem> make_bandwidth();

}  // namespace haloheap

#endif
