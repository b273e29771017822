// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_MODES_STAGED_HPP
#define HALOHEAP_CORE_TRANSFER_MODES_STAGED_HPP

#include <haloheap/core/transfer/mode.hpp>

namespace haloheap::transfer::detail {

/// From and to ordinary memory through page-locked buffers of our own, two in each direction: the host fills
/// one while the other is copied.
std::unique_ptr<Mode> make_staged(const ResourceMaker& resources);

}  // namespace haloheap::transfer::detail

#endif
