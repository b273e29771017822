// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_MEMORY_PROPERTIES_HPP
#define HALOHEAP_CORE_BACKEND_MEMORY_PROPERTIES_HPP

#include <cstddef>

namespace haloheap::backend {

/// Alignment (bytes) that every resource can give: that of cudaMalloc.
inline constexpr std::size_t default_alignment = 256;

/// What may be done with the memory of a resource.
struct Properties {
  bool device_accessible = false;  ///< kernels may read and write it
  bool host_accessible = false;    ///< the host may read and write it through the same pointer
  bool stream_ordered = false;     ///< allocation and release are ordered on an execution-space instance
  bool ipc_exportable = false;     ///< another process of the same node can map it
  int device = -1;                 ///< the device that it belongs to; -1: none
  std::size_t max_alignment = 0;   ///< the largest alignment (bytes) that can be asked for

  friend bool operator==(const Properties&, const Properties&) = default;
};

}  // namespace haloheap::backend

#endif
