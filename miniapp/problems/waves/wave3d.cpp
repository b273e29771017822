// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/problems/waves/wave_model.hpp>

namespace haloheap {

ProblemEntry wave3d_problem() {
  return waves<3>("wave3d");
}

}  // namespace haloheap
