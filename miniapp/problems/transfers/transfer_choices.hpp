// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_TRANSFER_CHOICES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_TRANSFER_CHOICES_HPP

#include <haloheap/core/base/names.hpp>

namespace haloheap {

/// Of the link between host and device (deck: link.kind).
enum class LinkKind { automatic, real, emulated };

template <>
inline constexpr auto names_of<LinkKind> = name_table<LinkKind>("link", {{LinkKind::automatic, "auto"},
                                                                         {LinkKind::real, "real"},
                                                                         {LinkKind::emulated, "emulated"}});

/// How long the kernel of problem transfer takes beside the copies (deck: transfer.bound).
enum class Bound { communication, balanced, compute, none };

template <>
inline constexpr auto names_of<Bound> = name_table<Bound>("bound", {{Bound::communication, "communication"},
                                                                    {Bound::balanced, "balanced"},
                                                                    {Bound::compute, "compute"},
                                                                    {Bound::none, "none"}});

}  // namespace haloheap

#endif
