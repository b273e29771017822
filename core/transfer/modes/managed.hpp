// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_MODES_MANAGED_HPP
#define HALOHEAP_CORE_TRANSFER_MODES_MANAGED_HPP

#include <haloheap/core/transfer/mode.hpp>

namespace haloheap::transfer::detail {

/// Managed memory; its pages move when kernels, or the host in the end, touch them.
std::unique_ptr<Mode> make_managed(const ResourceMaker& resources);
/// Managed memory; its pages are sent to the side that uses them next.
std::unique_ptr<Mode> make_managed_prefetch(const ResourceMaker& resources);
/// Managed memory that stays on the host, where kernels reach it.
std::unique_ptr<Mode> make_managed_advise(const ResourceMaker& resources);
std::string managed_missing();
std::string prefetch_missing();

}  // namespace haloheap::transfer::detail

#endif
