// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_LU_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_LU_HPP

#include <haloheap/miniapp/problem.hpp>

namespace haloheap {

/// LU factorisation on smart containers: as the paper's application does it, with two vectors by turns, and
/// on sub-matrices, where only what another device needs goes there.
std::unique_ptr<Problem> make_lu();

}  // namespace haloheap

#endif
