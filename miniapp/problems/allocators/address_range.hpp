// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ADDRESS_RANGE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ADDRESS_RANGE_HPP

#include <algorithm>
#include <cstdint>
#include <limits>

namespace haloheap {

/// From the first byte of any block to behind the last byte of any ([Winter2021], Figure 11a). There is none
/// without blocks.
struct AddressRange {
  std::uint64_t begin = std::numeric_limits<std::uint64_t>::max(), end = 0;

  std::uint64_t bytes() const { return begin < end ? end - begin : 0; }
  AddressRange with(const AddressRange& other) const {
    return {std::min(begin, other.begin), std::max(end, other.end)};
  }
};

}  // namespace haloheap

#endif
