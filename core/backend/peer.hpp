// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_PEER_HPP
#define HALOHEAP_CORE_BACKEND_PEER_HPP

#include <string>

/// Devices of one process that reach each other's memory.
namespace haloheap::backend {

/// Why `device` cannot reach the memory of device `other`; empty when it can. The same device is no other.
std::string peer_unavailable_reason(int device, int other);
/// The same of the current device.
std::string peer_unavailable_reason(int other);

/// From now on kernels and copies of `device` go straight to the memory of `other`; not the other way.
/// \throws CapabilityError if there is no such device, DeviceError
void enable_peer(int device, int other);
/// The same of the current device.
void enable_peer(int other);

}  // namespace haloheap::backend

#endif
