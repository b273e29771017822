// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_EXCHANGE_HPP
#define HALOHEAP_COMM_EXCHANGE_HPP

#include <haloheap/core/base/names.hpp>

namespace haloheap::comm {

enum class Exchange {
  sync,   ///< one round a dimension, corners forwarded: 4 messages in 2D, 6 in 3D
  async,  ///< all neighbours at once: 8 messages in 2D, 26 in 3D
};

constexpr auto names_of(Exchange) {
  return name_table<Exchange>("exchange", {{Exchange::sync, "sync"}, {Exchange::async, "async"}});
}

/// What goes into one message.
enum class MessagesPer {
  neighbour,  ///< all that one rank gets, from whichever side of it
  direction,  ///< what goes one way ([Valen2023], section 3.3.1: eight messages also where several go to one
              ///< rank)
};

constexpr auto names_of(MessagesPer) {
  return name_table<MessagesPer>(
      "unit of messages", {{MessagesPer::neighbour, "neighbour"}, {MessagesPer::direction, "direction"}});
}

/// Who gathers the values of a message.
enum class Packing {
  kernel,    ///< kernels pack them into a row of bytes
  datatype,  ///< MPI takes them from copies of the border's strips on the host, by datatypes ([Valen2023],
             ///< Listing 8)
};

constexpr auto names_of(Packing) {
  return name_table<Packing>("packing", {{Packing::kernel, "kernel"}, {Packing::datatype, "datatype"}});
}

/// Where the corners that rounds forward are copied from what came to what is sent next.
enum class Corners {
  device,  ///< in the halo: each round is placed there before the next one is packed
  host,    ///< between the host's buffers: one way to the host and one back ([Valen2023], Listing 12)
};

constexpr auto names_of(Corners) {
  return name_table<Corners>("place of corners", {{Corners::device, "device"}, {Corners::host, "host"}});
}

/// Which of the neighbours' cells a sub-step computes too.
enum class Redundant {
  shrinking,  ///< those that later sub-steps need: fewer from one to the next
  whole,      ///< as many as the first in each ([Valen2023], section 3.2.1)
};

constexpr auto names_of(Redundant) {
  return name_table<Redundant>("redundant cells",
                               {{Redundant::shrinking, "shrinking"}, {Redundant::whole, "whole"}});
}

/// What runs behind the exchange.
enum class Overlap {
  none,        ///< nothing
  first_step,  ///< the interior of the first pass ([Valen2023], section 3.4: of the first sub-step)
  all_steps,   ///< the interiors of all passes, each smaller by what a pass needs than the one before
};

constexpr auto names_of(Overlap) {
  return name_table<Overlap>(
      "overlap",
      {{Overlap::none, "none"}, {Overlap::first_step, "first_step"}, {Overlap::all_steps, "all_steps"}});
}

}  // namespace haloheap::comm

#endif
