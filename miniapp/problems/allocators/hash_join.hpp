// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_HASH_JOIN_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_HASH_JOIN_HPP

#include <haloheap/miniapp/problem.hpp>

namespace haloheap {

/// The case study of "Dynamic Memory Management in Massively Parallel Systems", section 5.2.3.
std::unique_ptr<Problem> make_hash_join();

}  // namespace haloheap

#endif
