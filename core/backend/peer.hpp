// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_PEER_HPP
#define HALOHEAP_CORE_BACKEND_PEER_HPP

#include <string>

/// Devices of one process that reach each other's memory.
namespace haloheap::backend {

/// Why the current device cannot reach the memory of device `other`; empty when it can.
std::string peer_unavailable_reason(int other);

/// From now on kernels and copies of the current device go straight to the memory of `other`.
/// \throws DeviceError
void enable_peer(int other);

}  // namespace haloheap::backend

#endif
