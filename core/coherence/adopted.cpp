// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/coherence/adopted.hpp>

#include <fmt/format.h>

namespace haloheap::coherence::detail {

backend::Properties AdoptedMemory::properties() const {
  backend::Properties properties;
  properties.host_accessible = true;
  properties.max_alignment =
      backend::default_alignment;  // elements are where they are; nothing here asks for more
  return properties;
}

void* AdoptedMemory::do_allocate(std::size_t bytes, std::size_t /*alignment*/, std::string_view label) {
  static std::byte nothing;
  if (bytes != bytes_)
    throw UsageError(
        fmt::format("'{}' cannot have other memory than the {} bytes that it adopted, and is to have {}",
                    label, bytes_, bytes),
        "it is as before", "copy the elements to a container with memory of its own");
  return bytes == 0 ? &nothing : data_;
}

void throw_other_rows(const std::string& label, ElementIndex adopted, ElementIndex columns) {
  throw UsageError(
      fmt::format("rows of '{}' cannot have {} elements: in the memory that it adopted they have {}", label,
                  columns, adopted),
      "it is as before", "copy the elements to a container with memory of its own");
}

void throw_gaps(const std::string& label, const std::string& view) {
  throw UsageError(
      fmt::format("'{}' cannot adopt the View '{}': its elements do not lie row after row without gaps",
                  label, view),
      "there is no container", "give the View the layout Kokkos::LayoutRight, and no padding");
}

}  // namespace haloheap::coherence::detail
