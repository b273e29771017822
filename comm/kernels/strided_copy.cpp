// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/kernels/strided_copy.hpp>

#include <algorithm>

namespace haloheap::comm::detail {
namespace {

struct Dimension {
  grid::Index count, from, to;  // the last two are strides
};
using Dimensions = std::vector<Dimension>;

/// Those with more than one value; what is packed runs along the fastest of them first.
Dimensions dimensions_of(const StridedCopy& copy) {
  Dimensions result;
  for (std::size_t dim = 0; dim < 4; ++dim)
    if (copy.count[dim] > 1) result.push_back({copy.count[dim], copy.from.stride[dim], copy.to.stride[dim]});
  const auto faster = [](const Dimension& a, const Dimension& b) {
    return std::max(a.from, a.to) < std::max(b.from, b.to);
  };
  std::stable_sort(result.begin(), result.end(), faster);
  return result;
}

/// Takes one dimension that goes on where `count` values that lie `from` and `to` apart end.
/// @returns how often it repeats them; 1 if there is none
grid::Index take_next(Dimensions& dimensions, grid::Index from_end, grid::Index to_end) {
  const auto next = std::find_if(dimensions.begin(), dimensions.end(), [&](const Dimension& dimension) {
    return dimension.from == from_end && dimension.to == to_end;
  });
  if (next == dimensions.end()) return 1;
  const grid::Index count = next->count;
  dimensions.erase(next);
  return count;
}

Dimensions joined(Dimensions dimensions) {
  Dimensions result;
  while (!dimensions.empty()) {
    Dimension first = dimensions.front();
    dimensions.erase(dimensions.begin());
    for (grid::Index more = 0; more != 1; first.count *= more)
      more = take_next(dimensions, first.count * first.from, first.count * first.to);
    result.push_back(first);
  }
  return result;
}

BlockPlace place_of(const StridedPlace& place) {
  return {.array = place.array, .first = place.first, .stride = {}, .alignment = place.alignment};
}

}  // namespace

std::vector<BlockCopy> blocks_of(const StridedCopy& copy) {
  BlockCopy block{.run = copy.element, .from = place_of(copy.from), .to = place_of(copy.to)};
  if (std::find(copy.count.begin(), copy.count.end(), 0) != copy.count.end()) return {};
  Dimensions dimensions = dimensions_of(copy);
  for (grid::Index more = 0; more != 1; block.run *= more) more = take_next(dimensions, block.run, block.run);
  dimensions = joined(std::move(dimensions));
  Dimension apart{1, 0, 0};
  if (dimensions.size() > 3) {
    const auto fewest =
        std::min_element(dimensions.begin(), dimensions.end(),
                         [](const Dimension& a, const Dimension& b) { return a.count < b.count; });
    apart = *fewest;
    dimensions.erase(fewest);
  }
  for (std::size_t dim = 0; dim < dimensions.size(); ++dim) {
    block.count[dim] = dimensions[dim].count;
    block.from.stride[dim] = dimensions[dim].from;
    block.to.stride[dim] = dimensions[dim].to;
  }
  std::vector<BlockCopy> blocks;
  for (grid::Index i = 0; i < apart.count; ++i) {
    blocks.push_back(block);
    blocks.back().from.first += i * apart.from;
    blocks.back().to.first += i * apart.to;
  }
  return blocks;
}

}  // namespace haloheap::comm::detail
