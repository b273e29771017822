// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/message_path.hpp>
#include <haloheap/comm/paths/host/mock.hpp>

namespace haloheap::comm::detail {

std::unique_ptr<HaloPath> make_mock_path(PathSetup setup) {
  return make_message_path(setup, setup.buffers, nullptr, Messages::left_out);
}

}  // namespace haloheap::comm::detail
