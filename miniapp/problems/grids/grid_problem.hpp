// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_PROBLEM_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_PROBLEM_HPP

#include <haloheap/miniapp/problems/grids/grid_model.hpp>

#include <string>
#include <vector>

namespace haloheap {

/// What a physics is to a list of problems.
struct GridPhysics {
  std::string name;  ///< of the problem
  std::string help;
  int dims = 2;
  std::vector<ProblemKeys> add_keys;  ///< its sections of the deck, besides those of all problems on grids
  ModelMaker model;
  report::QuantityList quantities = {};  ///< that GridModelOf::measure adds
  bool has_precision = true;             ///< the deck says whether the fields are float or double
};

/// A problem that steps a physics on a grid with deep halos.
ProblemEntry grid_problem(const GridPhysics& physics);

/// Whether these keys say how a problem on a grid is computed, and not what.
bool changes_no_result(ProblemKeys add);

}  // namespace haloheap

#endif
