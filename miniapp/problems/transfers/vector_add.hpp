// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_VECTOR_ADD_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_TRANSFERS_VECTOR_ADD_HPP

#include <haloheap/miniapp/problem.hpp>

namespace haloheap {

/// Seed 003's validation: two arrays up, their sum down.
std::unique_ptr<Problem> make_vector_add();

}  // namespace haloheap

#endif
