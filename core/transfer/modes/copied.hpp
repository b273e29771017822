// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_MODES_COPIED_HPP
#define HALOHEAP_CORE_TRANSFER_MODES_COPIED_HPP

#include <haloheap/core/transfer/mode.hpp>

namespace haloheap::transfer::detail {

/// Plain copies from and to ordinary memory: the driver stages them, and the host waits.
std::unique_ptr<Mode> make_pageable(const ResourceMaker& resources);
/// Plain copies from and to page-locked memory: the device's copy engines do them by themselves.
std::unique_ptr<Mode> make_pinned(const ResourceMaker& resources);
/// As pinned; but what is only copied to the device is in memory that the host does not cache.
std::unique_ptr<Mode> make_write_combined(const ResourceMaker& resources);
/// As pinned; but a run is recorded once, and replayed as a graph.
std::unique_ptr<Mode> make_graph(const ResourceMaker& resources);

std::string pinned_missing();

}  // namespace haloheap::transfer::detail

#endif
