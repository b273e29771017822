// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_LINK_MODEL_HPP
#define HALOHEAP_CORE_TRANSFER_LINK_MODEL_HPP

namespace haloheap::transfer {

/// An engine takes latency + amount / rate for an operation.
struct EngineModel {
  double latency = 0;  ///< seconds
  double rate = 1;     ///< bytes/s; operations/s of kernels
};

/// A link between host and device that is emulated. The defaults are near those of an H200 behind PCIe 5.
struct LinkModel {
  EngineModel h2d{5e-6, 55e9};
  EngineModel d2h{5e-6, 55e9};
  EngineModel kernel{3e-6, 1e12};
  double pageable_h2d = 10e9;  ///< bytes/s from memory that is not page-locked
  double pageable_d2h = 18e9;  ///< bytes/s
  double host_copy = 12e9;     ///< bytes/s of the host's own copies
  double submit = 2e-6;        ///< seconds of the host for an operation
};

}  // namespace haloheap::transfer

#endif
