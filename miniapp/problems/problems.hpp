// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_PROBLEMS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_PROBLEMS_HPP

#include <haloheap/miniapp/problem.hpp>

/// All problems, in the order of lists; the first is the default. A new one is a line here, and a file in the
/// folder of its family that defines `ProblemEntry NAME_problem()`.
#define HALOHEAP_PROBLEMS(PROBLEM) \
  PROBLEM(heat2d)                  \
  PROBLEM(heat3d)                  \
  PROBLEM(gray_scott2d)            \
  PROBLEM(gray_scott3d)            \
  PROBLEM(wave2d)                  \
  PROBLEM(wave3d)                  \
  PROBLEM(life)                    \
  PROBLEM(lbm2d)                   \
  PROBLEM(advection3d)             \
  PROBLEM(euler2d)                 \
  PROBLEM(miniweather)             \
  PROBLEM(implicit2d)              \
  PROBLEM(implicit3d)              \
  PROBLEM(hpcg)                    \
  PROBLEM(malloc_sweep)            \
  PROBLEM(getpage)                 \
  PROBLEM(page_steps)              \
  PROBLEM(atomics)                 \
  PROBLEM(allocation)              \
  PROBLEM(hash_join)               \
  PROBLEM(work_generation)         \
  PROBLEM(graph)                   \
  PROBLEM(collectives)             \
  PROBLEM(transfer)                \
  PROBLEM(bandwidth)               \
  PROBLEM(vector_add)              \
  PROBLEM(ppmcc)                   \
  PROBLEM(mse)                     \
  PROBLEM(lu)                      \
  PROBLEM(mandelbrot)              \
  PROBLEM(nbody)                   \
  PROBLEM(sph)

namespace haloheap {

#define HALOHEAP_DECLARE_PROBLEM(name) ProblemEntry name##_problem();
HALOHEAP_PROBLEMS(HALOHEAP_DECLARE_PROBLEM)
#undef HALOHEAP_DECLARE_PROBLEM

}  // namespace haloheap

#endif
