// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/array_support.hpp>

#include <fmt/format.h>

#include <limits>

namespace haloheap::memory::detail {
namespace {

/// Room for what stands beside the elements: the header of Kokkos, rounding up to whole pages, guard pages.
constexpr std::size_t overhead_bytes = std::size_t{1} << 24;

}  // namespace

void require_array_fits(const MemoryResource* resource, const std::string& label, std::size_t size,
                        std::size_t element_bytes) {
  if (resource == nullptr) throw UsageError(fmt::format("array '{}' needs a memory resource", label));
  constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();
  if (size <= (largest - overhead_bytes) / element_bytes) return;
  throw OutOfMemory(largest,
                    fmt::format("array '{}' of {} elements of {} bytes does not fit into any memory ({})",
                                label, size, element_bytes, resource->name()),
                    "nothing was allocated",
                    "check the number of elements: the size of a problem is likely wrong");
}

void require_same_size(const std::string& to, std::size_t to_size, const std::string& from,
                       std::size_t from_size) {
  if (to_size == from_size) return;
  throw UsageError(
      fmt::format("cannot copy array '{}' of {} elements to '{}' of {}", from, from_size, to, to_size));
}

void throw_inaccessible(const MemoryResource& resource, const std::string& label, const char* who) {
  throw UsageError(
      fmt::format("array '{}' is in '{}' memory, which {} cannot access", label, resource.name(), who),
      "the access would fault", "copy it to memory that can be accessed, or choose another memory resource");
}

}  // namespace haloheap::memory::detail
