// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_BLOCK_DISTANCE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_BLOCK_DISTANCE_HPP

#include <cstdint>
#include <optional>
#include <vector>

namespace haloheap {

/// Bytes from the beginning of a block to that of the next one, of the two that are closest; nullptr is no
/// block. Nothing if there are fewer than two.
std::optional<std::uint64_t> least_distance(const std::vector<const void*>& blocks);

}  // namespace haloheap

#endif
