// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_MESSAGES_PARTITIONED_HPP
#define HALOHEAP_COMM_PATHS_HOST_MESSAGES_PARTITIONED_HPP

#include <haloheap/comm/paths/host/messages/message_set.hpp>

namespace haloheap::comm::detail {

/// MPI-4 partitioned communication: each message in up to 8 equal parts, which MPI may send one by one.
/// @throws CapabilityError where the MPI library has none
std::unique_ptr<MessageSet> make_partitioned_messages(const MessageSetup& setup);

/// Empty if this MPI library has it.
std::string partitioned_unavailable_reason();

}  // namespace haloheap::comm::detail

#endif
