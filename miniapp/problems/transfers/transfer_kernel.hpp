// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_TRANSFER_KERNEL_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_TRANSFER_KERNEL_HPP

#include <haloheap/miniapp/problems/transfers/transfer_measurement.hpp>

namespace haloheap {

/// The kernel of [Bhimani2016]: adds 1 to each element, after so many iterations of sqrt(sin^2 + cos^2) that
/// keep the multiprocessors busy.
///
/// The loop of [Bhimani2016] has no result, so compilers delete it. Here each iteration needs the one before,
/// and its result times `share` is added, which is 0, but compilers cannot know: elements grow by exactly 1.
/// Arguments stay between 0 and 3, so that every element takes as long.
TransferWork add_one(int iterations, float share = 0);

/// What an element of that index becomes in one run that starts with 0.
float added(std::size_t index, int iterations, float share);

/// A number of iterations, and what the kernel takes with it over the copies to the device and back.
struct Iterations {
  int count = 0;
  double ratio = 0;
};

/// So many iterations of add_one that the kernel takes `ratio` times as long as the copies H2D and D2H of
/// page-locked memory, without streams: time is linear in their number, so two numbers are measured and a
/// third one follows. What is measured with it stands in the answer: with few bytes even a kernel that does
/// nothing may take longer.
Iterations calibrate_iterations(const TransferSettings& settings, const transfer::ResourceMaker& resources,
                                double ratio);

}  // namespace haloheap

#endif
