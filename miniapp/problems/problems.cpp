// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/problems.hpp>

namespace haloheap {

const Registry<ProblemEntry>& problems() {
#define HALOHEAP_LIST_PROBLEM(name) name##_problem(),
  static const Registry<ProblemEntry> registry("problem", {HALOHEAP_PROBLEMS(HALOHEAP_LIST_PROBLEM)});
#undef HALOHEAP_LIST_PROBLEM
  return registry;
}

}  // namespace haloheap
