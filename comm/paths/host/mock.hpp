// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_MOCK_HPP
#define HALOHEAP_COMM_PATHS_HOST_MOCK_HPP

#include <haloheap/comm/paths/halo_path.hpp>

namespace haloheap::comm::detail {

/// Sends nothing, so that what is left of an exchange's time is packing and unpacking. What is unpacked is
/// zero.
std::unique_ptr<HaloPath> make_mock_path(PathSetup setup);

}  // namespace haloheap::comm::detail

#endif
