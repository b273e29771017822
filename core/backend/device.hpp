// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_DEVICE_HPP
#define HALOHEAP_CORE_BACKEND_DEVICE_HPP

#include <array>
#include <cstddef>
#include <string>

namespace haloheap::backend {

/// Devices that this process sees; 1 when the device is emulated. Works before Kokkos is initialised.
int device_count();

/// Passes for the number of a device that this process sees; any number from 0 on is an emulated device.
/// \throws CapabilityError
void require_device(int device);

/// Puts back, at its end, which device was current in this thread at its begin: Kokkos makes that of each
/// instance that it launches on, waits for or frees the current one, and leaves it so. Nothing where the
/// device is emulated.
class CurrentDeviceKeeper {
 public:
  CurrentDeviceKeeper();
  ~CurrentDeviceKeeper();
  CurrentDeviceKeeper(const CurrentDeviceKeeper&) = delete;
  CurrentDeviceKeeper& operator=(const CurrentDeviceKeeper&) = delete;

 private:
  [[maybe_unused]] int device_;
};

/// Tells the device that is current here from the others of this node, to all processes of the node. The
/// ranks of a node share one emulated device.
using DeviceIdentity = std::array<std::byte, 16>;
DeviceIdentity device_identity();

/// The device that this process works on, in one line: name, memory, runtime and driver.
std::string device_description();

}  // namespace haloheap::backend

#endif
