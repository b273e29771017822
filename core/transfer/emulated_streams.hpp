// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_EMULATED_STREAMS_HPP
#define HALOHEAP_CORE_TRANSFER_EMULATED_STREAMS_HPP

#include <haloheap/core/transfer/link_model.hpp>
#include <haloheap/core/transfer/streams.hpp>

#include <memory>

namespace haloheap::transfer {

/// Streams of a device that is emulated on the host, behind an emulated link. The work is done, each
/// operation at its end and not before, so that whoever does not wait sees what is not there yet; the time is
/// counted: an engine takes its operations in the order of issue, one at a time, each as long as the model
/// says. \throws CapabilityError where kernels do not run on the host
std::unique_ptr<Streams> make_emulated_streams(int count, const LinkModel& link);

}  // namespace haloheap::transfer

#endif
