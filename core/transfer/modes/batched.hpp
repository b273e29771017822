// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_MODES_BATCHED_HPP
#define HALOHEAP_CORE_TRANSFER_MODES_BATCHED_HPP

#include <haloheap/core/transfer/mode.hpp>

namespace haloheap::transfer::detail {

/// As pinned; but all copies of a chunk in one direction are one call, rows that lie apart included.
std::unique_ptr<Mode> make_batched(const ResourceMaker& resources);
std::string batched_missing();

}  // namespace haloheap::transfer::detail

#endif
