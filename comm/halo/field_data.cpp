// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/field_data.hpp>
#include <haloheap/core/base/error.hpp>

#include <cstdint>

namespace haloheap::comm {

void FieldMemory::require(grid::Index values, const std::string& name) const {
  const std::string remedy = "give it " + std::to_string(values) + " values, as FieldLayout::size()";
  if (start == nullptr) throw UsageError("the field '" + name + "' is null", "nothing was made", remedy);
  if (size != unknown && size != values)
    throw UsageError("the field '" + name + "' has " + std::to_string(size) +
                         " values, but its layout asks for " + std::to_string(values),
                     "ghost cells would be read and written elsewhere", remedy);
  if (!contiguous)
    throw UsageError("the field '" + name + "' has gaps between its values",
                     "ghost cells would be read and written elsewhere",
                     "give a View whose values lie in a row");
  constexpr std::uintptr_t loaded_together = 16;  // bytes that kernels load and store at once
  if (reinterpret_cast<std::uintptr_t>(start) % loaded_together != 0)
    throw UsageError("the field '" + name + "' does not begin at a multiple of 16 bytes",
                     "kernels could not load several values at once",
                     "give what Kokkos::View or a memory resource has allocated, and not a part of it");
  if (!reachable)
    throw UsageError("kernels cannot reach the memory of the field '" + name + "'", "nothing was made",
                     "give a field in memory of the device, or in pinned or managed memory");
}

}  // namespace haloheap::comm
