// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_MALLOC_SWEEP_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_MALLOC_SWEEP_HPP

#include <haloheap/miniapp/problem.hpp>

namespace haloheap {

/// Problem malloc_sweep: requests of many threads at once ("Dynamic Memory Management in Massively Parallel
/// Systems: A Case on GPUs", ICS 2022, section 5.2.2 and Figures 8 to 11).
std::unique_ptr<Problem> make_malloc_sweep();

}  // namespace haloheap

#endif
