// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_MEMORY_BYTES_HPP
#define HALOHEAP_UNIT_CORE_MEMORY_BYTES_HPP

#include <haloheap/core/memory/space.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace haloheap::testing {

using Byte = unsigned char;

/// Kernels of the tests are functors: nvcc takes no device lambda inside a test body.
struct FillBytes {
  Byte* data;
  Byte value;
  KOKKOS_FUNCTION void operator()(const std::size_t i) const { data[i] = value; }
};

struct CountOtherBytes {
  const Byte* data;
  Byte value;
  KOKKOS_FUNCTION void operator()(const std::size_t i, std::size_t& count) const {
    if (data[i] != value) ++count;
  }
};

using KernelRange = Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace>;

inline void fill_from_kernel(const memory::Allocation& block, Byte value) {
  Kokkos::parallel_for("haloheap::unit::fill", KernelRange(0, block.bytes),
                       FillBytes{static_cast<Byte*>(block.data), value});
  Kokkos::fence("haloheap::unit::fill");
}

inline std::size_t count_others_from_kernel(const memory::Allocation& block, Byte value) {
  std::size_t count = 0;
  Kokkos::parallel_reduce("haloheap::unit::count", KernelRange(0, block.bytes),
                          CountOtherBytes{static_cast<const Byte*>(block.data), value}, count);
  return count;
}

/// By whoever can reach the block.
inline void fill(const memory::MemoryResource& resource, const memory::Allocation& block, Byte value) {
  if (!resource.properties().host_accessible) return fill_from_kernel(block, value);
  if (block.bytes > 0) std::memset(block.data, value, block.bytes);
}

/// The content as the host sees it: directly, or by a copy from device memory.
inline std::vector<Byte> read(const memory::MemoryResource& resource, const memory::Allocation& block) {
  std::vector<Byte> content(block.bytes);
  if (block.bytes == 0) return content;
  const auto* const data = static_cast<const Byte*>(block.data);
  if (resource.properties().host_accessible) {
    std::copy(data, data + block.bytes, content.begin());
  } else {
    using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
    const Kokkos::View<const Byte*, memory::DeviceSpace, Unmanaged> from(data, block.bytes);
    const Kokkos::View<Byte*, Kokkos::HostSpace, Unmanaged> to(content.data(), block.bytes);
    Kokkos::deep_copy(to, from);
  }
  return content;
}

inline bool holds_only(const memory::MemoryResource& resource, const memory::Allocation& block, Byte value) {
  const auto content = read(resource, block);
  return std::all_of(content.begin(), content.end(), [&](Byte b) { return b == value; });
}

}  // namespace haloheap::testing

#endif
