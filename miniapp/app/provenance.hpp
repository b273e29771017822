// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_APP_PROVENANCE_HPP
#define HALOHEAP_MINIAPP_APP_PROVENANCE_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/miniapp/report/result.hpp>

#include <string>

namespace haloheap {

/// Everything about program and machine that a result must carry, but for what only the points show (whether
/// MPI takes device memory). Collective; lists are filled on rank 0.
report::Provenance provenance(const comm::Communicator& communicator, const std::string& command_line);

}  // namespace haloheap

#endif
