// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/heat.hpp>
#include <haloheap/miniapp/problems/heat_schema.hpp>

namespace haloheap {

const std::vector<ProblemInfo>& problems() {
  static const std::vector<ProblemInfo> list = {
      {"heat2d", "2D stencil with deep halos (Valen 2023)", add_heat_keys, make_heat2d},
      {"heat3d", "3D stencil with deep halos", add_heat_keys, make_heat3d},
  };
  return list;
}

std::unique_ptr<Problem> make_problem(const std::string& name) {
  for (const ProblemInfo& info : problems())
    if (info.name == name) return info.make();
  throw UsageError("there is no problem '" + name + "'", "", "haloheap --list names them");
}

}  // namespace haloheap
