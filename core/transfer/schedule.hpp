// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_SCHEDULE_HPP
#define HALOHEAP_CORE_TRANSFER_SCHEDULE_HPP

#include <haloheap/core/base/names.hpp>

namespace haloheap::transfer {

/// In which order the chunks' operations are issued ([Bhimani2016], Figure 2).
enum class Schedule {
  none,           ///< one chunk on one stream, whatever the number of streams
  depth_first,    ///< type I: H2D, kernel and D2H of a chunk, then those of the next
  breadth_first,  ///< type II: H2D of all chunks, then all kernels, then D2H of all
};

constexpr auto names_of(Schedule) {
  return name_table<Schedule>("schedule", {{Schedule::none, "none"},
                                           {Schedule::depth_first, "depth_first"},
                                           {Schedule::breadth_first, "breadth_first"}});
}

}  // namespace haloheap::transfer

#endif
