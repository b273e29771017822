// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_APP_APP_HPP
#define HALOHEAP_MINIAPP_APP_APP_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/miniapp/deck/command_line.hpp>

#include <string>

namespace haloheap {

/// The text of --list. Needs an initialised device.
std::string list_text();

/// Does what needs neither MPI's peers nor a device: --validate, --print-deck, the references and the schema
/// of results, help and version.
/// @returns whether that was all
bool run_offline(const deck::CommandLine& command, bool speaks);

/// Runs a deck, or plans it (--dry-run). Collective; needs an initialised device. `command_line` goes into
/// the results.
/// @returns the exit code
int run_deck(const deck::CommandLine& command, const comm::Communicator& communicator,
             const std::string& command_line);

}  // namespace haloheap

#endif
