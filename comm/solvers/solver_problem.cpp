// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/solver_problem.hpp>

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace haloheap::comm {
namespace {

/// Why a preconditioner is not for a method; empty if it is.
const char* reason_against(SolverMethod method, Preconditioner preconditioner) {
  if (preconditioner == Preconditioner::none) return "";
  switch (method) {
    case SolverMethod::cg:
      return "";
    case SolverMethod::pipelined_cg:
      return preconditioner != Preconditioner::jacobi
                 ? "that has exchanges of its own, behind which a sum could hide anyway"
                 : "";
    case SolverMethod::bicgstab:
    case SolverMethod::gmres:
      return preconditioner != Preconditioner::jacobi
                 ? "it is made for what symmetric operators alone are sure to have"
                 : "";
    case SolverMethod::s_step_cg:
    case SolverMethod::chebyshev:
    case SolverMethod::multigrid:
      break;
  }
  return "it would make its iterations without one";
}

std::string all_for(SolverMethod method) {
  std::string result;
  for (const std::string& name : all_names<Preconditioner>())
    if (std::string_view(reason_against(method, from_name<Preconditioner>(name))).empty())
      result += (result.empty() ? "" : " or ") + name;
  return result;
}

}  // namespace

std::optional<ConfigProblem<SolverSetting>> solver_problem(SolverMethod method, const SolverConfig& config) {
  if (const std::string reason = reason_against(method, config.preconditioner); !reason.empty())
    return ConfigProblem<SolverSetting>{
        SolverSetting::preconditioner,
        fmt::format("method '{}' is to have preconditioner '{}'", name_of(method),
                    name_of(config.preconditioner)),
        reason, fmt::format("use {}, or method {}", all_for(method), name_of(SolverMethod::cg))};
  if (method == SolverMethod::s_step_cg && config.block_steps > max_block_steps)
    return ConfigProblem<SolverSetting>{
        SolverSetting::block_steps, fmt::format("block_steps of a solver is {}", config.block_steps),
        "the basis of so many steps has no digits left", fmt::format("use at most {}", max_block_steps)};
  return std::nullopt;
}

}  // namespace haloheap::comm
