// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_ITERATIONS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_ITERATIONS_HPP

#include <haloheap/miniapp/problems/transfers/transfer_measurement.hpp>

namespace haloheap {

/// A number of iterations, and what the kernel takes with it over the copies to the device and back.
struct Iterations {
  int count = 0;
  double ratio = 0;
};

/// So many iterations of add_one (transfer_kernel.hpp) that the kernel takes `ratio` times as long as the
/// copies H2D and D2H of page-locked memory, without streams: time is linear in their number, so two numbers
/// are measured and a third one follows. What is measured with it stands in the answer: with few bytes even a
/// kernel that does nothing may take longer.
Iterations calibrate_iterations(const TransferSettings& settings, const transfer::ResourceMaker& resources,
                                double ratio);

}  // namespace haloheap

#endif
