// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_DEVICE_STATE_HPP
#define HALOHEAP_BACKEND_DEVICE_STATE_HPP

#include <string>

namespace haloheap::backend {

/// What the vendor's own library says of the device of this process. A text is empty where it does not say.
struct DeviceState {
  std::string driver;  ///< version of the driver
  std::string clocks;  ///< now and at most, and whether power or heat slows it down
};

/// Of now. Never fails: numbers are as right without it. An emulated device has neither.
DeviceState device_state();

}  // namespace haloheap::backend

#endif
