// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GETPAGE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GETPAGE_HPP

#include <haloheap/miniapp/problem.hpp>

namespace haloheap {

/// Problem getpage: each thread gets one page, and how many steps that takes ("Dynamic Memory Management in
/// Massively Parallel Systems: A Case on GPUs", ICS 2022, section 5.2.1 and Figure 7).
std::unique_ptr<Problem> make_getpage();

}  // namespace haloheap

#endif
