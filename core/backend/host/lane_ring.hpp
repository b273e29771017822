// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_LANE_RING_HPP
#define HALOHEAP_BACKEND_LANE_RING_HPP

namespace haloheap::backend {

/// See the device's file. Declared only: a thread of a host is no whole warp, and kernels that have rings are
/// not for it.
template <int Unit, int Units, int Threads>
class LaneRing;
inline constexpr int ring_memory = 0;

}  // namespace haloheap::backend

#endif
