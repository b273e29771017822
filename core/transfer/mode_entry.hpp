// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_MODE_ENTRY_HPP
#define HALOHEAP_CORE_TRANSFER_MODE_ENTRY_HPP

#include <haloheap/core/transfer/mode.hpp>

namespace haloheap::transfer {

/// A mode as the list knows it.
struct ModeEntry {
  const char* name;
  const char* help;
  std::string (*unavailable_reason)();
  std::unique_ptr<Mode> (*make)(const ResourceMaker& resources);
  const char* nearest = "";  ///< what to use where it is missing
};

/// The modes of this library. A new one is a file pair in modes/ and a line in mode_list.cpp.
const std::vector<ModeEntry>& mode_list();

}  // namespace haloheap::transfer

#endif
