// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/problems/waves/wave_model.hpp>

namespace haloheap {

ProblemEntry wave2d_problem() {
  return waves<2>("wave2d");
}

}  // namespace haloheap
