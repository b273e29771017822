// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/transfer/mode.hpp>
#include <haloheap/core/transfer/modes/batched.hpp>
#include <haloheap/core/transfer/modes/copied.hpp>
#include <haloheap/core/transfer/modes/in_place.hpp>
#include <haloheap/core/transfer/modes/managed.hpp>
#include <haloheap/core/transfer/modes/registered.hpp>
#include <haloheap/core/transfer/modes/staged.hpp>
#include <haloheap/core/transfer/modes/stream_ordered.hpp>

namespace haloheap::transfer {

const Registry<ModeEntry>& modes() {
  using enum Movement;
  static const Registry<ModeEntry> registry(
      "transfer mode",
      {
          {"pageable", "ordinary host memory, through the driver's staging buffer", nothing_missing,
           detail::make_pageable, "", "pageable", false},
          {"pinned", "page-locked host memory", detail::pinned_missing, detail::make_pinned, "pageable",
           "pinned"},
          {"write_combined",
           "page-locked memory that the host does not cache, for what is only copied to the device",
           detail::pinned_missing, detail::make_write_combined, "pinned", "write_combined"},
          {"registered", "ordinary host memory, page-locked in each run", detail::pinned_missing,
           detail::make_registered, "pageable", "pageable"},
          {"staged", "ordinary host memory, through two page-locked buffers of our own",
           detail::pinned_missing, detail::make_staged, "pageable", "pageable", false},
          {"stream_ordered", "page-locked; device memory is taken and given back in each run",
           detail::stream_ordered_missing, detail::make_stream_ordered, "pinned", "pinned", true, true},
          {"batched", "page-locked; the copies of a chunk in one call", detail::batched_missing,
           detail::make_batched, "pinned", "pinned"},
          {"graph", "page-locked; the run recorded once and replayed", detail::pinned_missing,
           detail::make_graph, "pinned", "pinned", true, true},
          {"managed", "one address; pages move when kernel or host touch them", detail::managed_missing,
           detail::make_managed, "pinned", "managed", true, false, on_touch},
          {"managed_prefetch", "one address; pages are sent ahead", detail::prefetch_missing,
           detail::make_managed_prefetch, "managed", "managed", true, false, pages_sent},
          {"managed_advise", "one address; pages stay on the host, and kernels reach there",
           detail::prefetch_missing, detail::make_managed_advise, "mapped", "managed", true, false, in_place},
          {"mapped", "no copies: kernels use page-locked host memory", detail::mapped_missing,
           detail::make_mapped, "pinned", "pinned", true, false, in_place},
          {"system", "no copies: kernels use ordinary host memory", detail::system_missing,
           detail::make_system, "mapped", "pageable", true, false, in_place},
      });
  return registry;
}

}  // namespace haloheap::transfer
