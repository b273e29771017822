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
