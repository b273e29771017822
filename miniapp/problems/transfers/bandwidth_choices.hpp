// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_BANDWIDTH_CHOICES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_BANDWIDTH_CHOICES_HPP

#include <haloheap/core/base/names.hpp>

namespace haloheap {

enum class BandwidthPath { up, down, both, device, peer };

template <>
inline constexpr auto names_of<BandwidthPath> = name_table<BandwidthPath>("path",
                                                                          {{BandwidthPath::up, "up"},
                                                                           {BandwidthPath::down, "down"},
                                                                           {BandwidthPath::both, "both"},
                                                                           {BandwidthPath::device, "device"},
                                                                           {BandwidthPath::peer, "peer"}});

/// Who moves the bytes (deck: bandwidth.by).
enum class CopiedBy { copies, kernel };

template <>
inline constexpr auto names_of<CopiedBy> = name_table<CopiedBy>("mover", {{CopiedBy::copies, "copies"},
                                                                          {CopiedBy::kernel, "kernel"}});

}  // namespace haloheap

#endif
