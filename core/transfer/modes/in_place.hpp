// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_MODES_IN_PLACE_HPP
#define HALOHEAP_CORE_TRANSFER_MODES_IN_PLACE_HPP

#include <haloheap/core/transfer/mode.hpp>

namespace haloheap::transfer::detail {

/// Kernels use page-locked memory of the host.
std::unique_ptr<Mode> make_mapped(const ResourceMaker& resources);
std::string mapped_missing();
/// Kernels use ordinary memory of the host.
std::unique_ptr<Mode> make_system(const ResourceMaker& resources);
std::string system_missing();

}  // namespace haloheap::transfer::detail

#endif
