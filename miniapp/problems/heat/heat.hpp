// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_HEAT_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_HEAT_HPP

#include <haloheap/miniapp/problem.hpp>

namespace haloheap {

std::unique_ptr<Problem> make_heat2d();
std::unique_ptr<Problem> make_heat3d();

}  // namespace haloheap

#endif
