// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_MESSAGES_ISEND_HPP
#define HALOHEAP_COMM_PATHS_HOST_MESSAGES_ISEND_HPP

#include <haloheap/comm/paths/host/messages/message_set.hpp>

namespace haloheap::comm::detail {

/// New requests for each exchange, as most applications do it.
std::unique_ptr<MessageSet> make_isend_messages(const MessageSetup& setup);

}  // namespace haloheap::comm::detail

#endif
