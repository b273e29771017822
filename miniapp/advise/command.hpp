// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_ADVISE_COMMAND_HPP
#define HALOHEAP_MINIAPP_ADVISE_COMMAND_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/miniapp/deck/command_line.hpp>
#include <haloheap/miniapp/deck/schema.hpp>

namespace haloheap::advise {

/// `haloheap advise`: measures this machine, says what the deck should choose, and writes advised.toml into
/// the output folder. Collective; needs an initialised device.
/// @returns the exit code
int run(const deck::CommandLine& command, const deck::Schema& schema, const comm::Communicator& communicator);

}  // namespace haloheap::advise

#endif
