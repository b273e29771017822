// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_MODES_STREAM_ORDERED_HPP
#define HALOHEAP_CORE_TRANSFER_MODES_STREAM_ORDERED_HPP

#include <haloheap/core/transfer/mode.hpp>

namespace haloheap::transfer::detail {

/// As pinned; but each run takes the device's memory in the order of the stream, and gives it back.
std::unique_ptr<Mode> make_stream_ordered(const ResourceMaker& resources);
std::string stream_ordered_missing();

}  // namespace haloheap::transfer::detail

#endif
