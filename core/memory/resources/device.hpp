// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_RESOURCES_DEVICE_HPP
#define HALOHEAP_CORE_MEMORY_RESOURCES_DEVICE_HPP

#include <haloheap/core/memory/resource.hpp>

namespace haloheap {

/// Memory of the device that is current when this is made (cudaMalloc). On the host backend: the emulated
/// device.
class DeviceResource final : public MemoryResource {
 public:
  DeviceResource();
  Properties properties() const override { return properties_; }
  std::string name() const override { return "device"; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) override;
  void do_deallocate(const Allocation& allocation) noexcept override;

  int device_;
  Properties properties_;
};

}  // namespace haloheap

#endif
