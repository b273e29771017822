// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_DEVICE_STREAMS_HPP
#define HALOHEAP_CORE_TRANSFER_DEVICE_STREAMS_HPP

#include <haloheap/core/transfer/streams.hpp>

#include <memory>

namespace haloheap::transfer {

enum class Trace {
  off,
  streams,     ///< a span for each stream, from its first operation to the end of the last
  operations,  ///< a span for each operation; costs two events each
};

/// Streams of the current device. On host backends the work is done as it is enqueued.
std::unique_ptr<Streams> make_device_streams(int count, Trace trace = Trace::off);

}  // namespace haloheap::transfer

#endif
