// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_COHERENCE_COSTS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_COHERENCE_COSTS_HPP

#include <haloheap/core/coherence/vector.hpp>

#include <string>

namespace haloheap {

/// What smart containers cost where nothing has to be moved, and where only is decided what has to: seconds,
/// each the median of several loops.
struct CoherenceCosts {
  double element = 0;  ///< reading an element on the host that is current there
  double use = 0;      ///< beginning and ending a use of elements that are current on the device
  double plan = 0;     ///< deciding on a use that takes 16 copies
};

/// Leaves the vector current on the host and on the first device.
CoherenceCosts measure_costs(coherence::Context& context, const coherence::Vector<double>& vector);

}  // namespace haloheap

#endif
