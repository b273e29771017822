// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATION_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATION_HPP

#include <haloheap/miniapp/problem.hpp>

namespace haloheap {

/// The unit benchmark of [Blach2022], section 4.1.
std::unique_ptr<Problem> make_allocation();

}  // namespace haloheap

#endif
