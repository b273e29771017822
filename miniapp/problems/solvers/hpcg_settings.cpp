// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/problems/solvers/hpcg_facts.hpp>
#include <haloheap/miniapp/problems/solvers/hpcg_settings.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

/// The reference halves the cells of each rank three times.
void check_divisible(const deck::Deck& deck, const HpcgSettings& settings) {
  for (int dim = 0; dim < 3; ++dim) {
    const grid::Index cells = settings.cells[dim], step = settings.ranks[dim] * hpcg_divisor;
    if (cells % step == 0) continue;
    deck.reject("grid.size",
                fmt::format("{} cells in {} are not divisible by {}, of {} rank{} in that dimension with a "
                            "multiple of {} cells each",
                            cells, "xyz"[dim], step, settings.ranks[dim], settings.ranks[dim] == 1 ? "" : "s",
                            hpcg_divisor),
                fmt::format("use {} cells, or another ranks.grid: the four levels of HPCG's reference halve "
                            "the cells of every rank three times",
                            (cells / step + 1) * step));
  }
}

}  // namespace

void add_hpcg_keys(deck::Schema& schema) {
  schema.section("hpcg", "HPCG's problem")
      .integer("reference_iterations", 50)
      .range(1, 100000)
      .unit("iterations")
      .help(
          "Of HPCG's reference, which say how small a solver's residual must become and which operations are "
          "counted; HPCG has 50");
}

comm::Grid HpcgSettings::grid(int rank) const {
  return {3, cells, comm::Topology::make(rank, ranks, {false, false, false})};
}

HpcgSettings read_hpcg(const deck::Deck& deck, int ranks) {
  HpcgSettings settings;
  settings.cells = read_triple(deck, "grid.size", 3, {1, 1, 1});
  settings.ranks = read_rank_grid(deck, {3, settings.cells}, ranks);
  check_divisible(deck, settings);
  settings.reference_iterations = deck.number("hpcg.reference_iterations");
  settings.solver = read_solver(deck);
  check_room(deck, settings.solver, settings.grid(0));
  return settings;
}

}  // namespace haloheap
