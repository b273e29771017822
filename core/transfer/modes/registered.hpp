// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_MODES_REGISTERED_HPP
#define HALOHEAP_CORE_TRANSFER_MODES_REGISTERED_HPP

#include <haloheap/core/transfer/mode.hpp>

namespace haloheap::transfer::detail {

/// Plain copies from and to ordinary memory that each run page-locks first and releases in the end.
std::unique_ptr<Mode> make_registered(const ResourceMaker& resources);

}  // namespace haloheap::transfer::detail

#endif
