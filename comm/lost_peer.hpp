// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_LOST_PEER_HPP
#define HALOHEAP_COMM_LOST_PEER_HPP

#include <haloheap/core/base/error.hpp>

#include <string>

namespace haloheap::comm::detail {

/// What to throw when `rank` has waited `timeout` seconds in vain. @param peers for whom: "1", "1, 3"
CommunicationError lost_peer(int rank, double timeout, const std::string& peers);

}  // namespace haloheap::comm::detail

#endif
