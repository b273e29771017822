// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_MESSAGES_PERSISTENT_HPP
#define HALOHEAP_COMM_PATHS_HOST_MESSAGES_PERSISTENT_HPP

#include <haloheap/comm/paths/host/messages/message_set.hpp>

namespace haloheap::comm::detail {

/// Requests are made once and started for each exchange.
std::unique_ptr<MessageSet> make_persistent_messages(const MessageSetup& setup);

}  // namespace haloheap::comm::detail

#endif
