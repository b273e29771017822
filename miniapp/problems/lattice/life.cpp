// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Conway's Game of Life ([Gardner1970]), on cells of one byte.
#include <haloheap/core/stencil/initial.hpp>
#include <haloheap/miniapp/problems/grids/boundary_keys.hpp>
#include <haloheap/miniapp/problems/grids/grid_problem.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/problems/grids/rule_model.hpp>
#include <haloheap/miniapp/problems/problems.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace haloheap {
namespace {

/// A cell is alive (1) after a step if three of its eight neighbours were, or if it was and two of them were.
struct Life {
  using Fields = stencil::Fields<std::uint8_t>;
  static constexpr int dims = 2, radius = 1;
  static constexpr bool uses_index = false;
  static constexpr std::string_view names[1] = {"alive"};

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION std::uint8_t operator()(const Cell& cell) const {
    enum { alive };
    const int neighbours = cell(alive, -1, -1) + cell(alive, 0, -1) + cell(alive, 1, -1) +
                           cell(alive, -1, 0) + cell(alive, 1, 0) + cell(alive, -1, 1) + cell(alive, 0, 1) +
                           cell(alive, 1, 1);
    // 3 is 2 with the lowest bit set, which is the cell itself.
    return static_cast<std::uint8_t>((neighbours | cell(alive)) == 3);
  }
};

enum class LifeStart { glider, r_pentomino, random };

constexpr auto names_of(LifeStart) {
  return name_table<LifeStart>("start", {{LifeStart::glider, "glider"},
                                         {LifeStart::r_pentomino, "r_pentomino"},
                                         {LifeStart::random, "random"}});
}

void add_life_keys(deck::Schema& schema) {
  deck::Section& section = schema.section("life", "Conway's Game of Life");
  section.choice("start", LifeStart::r_pentomino)
      .help(
          "In the middle a glider, which moves by a cell in x and y in four steps, or an R-pentomino, which "
          "grows for 1103 steps; or random cells");
  section.real("density", 0.5).range(0, 1).help("Of start random: the share of cells that are alive");
  section.integer("seed", 1).at_least(0).seed().help("Of start random");
}

/// What a deck says of it.
struct LifeSettings {
  LifeStart start;
  double density;
  std::uint64_t seed;
  grid::Boundary boundary;
};

/// A side of the smallest grid on which no cell of a pattern has another as its neighbour on both sides.
constexpr grid::Index smallest = 5;

LifeSettings read_life(const deck::Deck& deck, const GridSize& size) {
  const LifeSettings settings{deck.choice<LifeStart>("life.start"), deck.get<double>("life.density"),
                              static_cast<std::uint64_t>(deck.get<std::int64_t>("life.seed")),
                              read_boundary(deck, size.dims)};
  if (settings.boundary.value != 0 && settings.boundary.value != 1)
    deck.reject("boundary.value",
                fmt::format("a cell is dead, 0, or alive, 1, and never {:.6g}", settings.boundary.value),
                "use 0 or 1");
  if (settings.start != LifeStart::random && std::min(size.cells.x, size.cells.y) < smallest)
    deck.reject("grid.size", fmt::format("a pattern has no room on less than {} cells", smallest),
                fmt::format("use at least {} cells in x and y, or life.start = \"random\"", smallest));
  return settings;
}

/// Rows of 3 x 3 cells, lowest y first.
using Pattern = std::array<const char*, 3>;
constexpr Pattern glider{".O.", "..O", "OOO"}, r_pentomino{".OO", "OO.", ".O."};

struct Population {
  double alive;
};

const report::Quantities<Population>& population_quantities() {
  static const report::Quantities<Population> all{
      {{"figures.population", "cells", "population",
        "Number of cells that are alive after the last step, where that is verified or written.",
        report::Shown{"population", 1, ".0f"}},
       &Population::alive},
  };
  return all;
}

class LifeModel final : public RuleModel<Life> {
 public:
  LifeModel(const GridSize& size, const LifeSettings& settings)
      : RuleModel<Life>(size, {}, stencil::side_rules(settings.boundary, 2)), settings_(settings) {}

  CellValues<std::uint8_t> start() const override {
    return [settings = settings_, cells = this->size().cells](int field, const grid::Triple& cell) {
      if (settings.start == LifeStart::random)
        return static_cast<std::uint8_t>(stencil::random_value(settings.seed, cells, cell, field) <
                                         settings.density);
      return in_the_middle(settings.start == LifeStart::glider ? glider : r_pentomino, cells, cell);
    };
  }

  /// A glider is the same again every fourth step, one cell further in x and y, until it is at a side.
  std::optional<KnownAnswer> known_answer(grid::Index steps) const override {
    const grid::Index way = steps / 4;
    if (settings_.start != LifeStart::glider || steps % 4 != 0 || !has_room(way)) return std::nullopt;
    return KnownAnswer{.at = [way, cells = this->size().cells](int /*field*/, const grid::Triple& cell) {
      const auto back = [&](int dim) { return (cell[dim] + cells[dim] - way % cells[dim]) % cells[dim]; };
      return static_cast<double>(in_the_middle(glider, cells, {back(0), back(1), 0}));
    }};
  }

  void measure(const OwnCells<std::uint8_t>& last, report::Point& point) const override {
    const auto alive = std::count(last.cells.begin(), last.cells.end(), std::uint8_t{1});
    point.measure(population_quantities(), {last.communicator.sum(static_cast<double>(alive))});
  }

 private:
  static std::uint8_t in_the_middle(const Pattern& pattern, const grid::Triple& cells,
                                    const grid::Triple& cell) {
    const grid::Index x = cell.x - first(cells.x), y = cell.y - first(cells.y);
    if (x < 0 || y < 0 || x >= 3 || y >= 3) return 0;
    return pattern[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == 'O' ? 1 : 0;
  }
  static grid::Index first(grid::Index cells) { return (cells - 3) / 2; }

  /// Whether a glider is still within the grid after so many cells in x and y, or comes back at the other
  /// side. Dead cells beyond a side are those of a grid without end, until the glider would reach them.
  bool has_room(grid::Index way) const {
    for (int dim = 0; dim < 2; ++dim) {
      const stencil::SideRules& sides = this->sides();
      if (sides.periodic(dim)) continue;
      const stencil::Outside &low = sides.at(dim, false, 0), &high = sides.at(dim, true, 0);
      const bool dead = low.kind == stencil::Outside::Kind::value && low.number == 0 &&
                        high.kind == stencil::Outside::Kind::value && high.number == 0;
      const grid::Index cells = this->size().cells[dim];
      if (!dead || first(cells) + 3 + way > cells) return false;
    }
    return true;
  }

  LifeSettings settings_;
};

std::unique_ptr<GridModel> make_life(const deck::Deck& deck, const GridSize& size) {
  return std::make_unique<LifeModel>(size, read_life(deck, size));
}

}  // namespace

ProblemEntry life_problem() {
  return grid_problem({.name = "life",
                       .help = "Conway's Game of Life on cells of one byte ([Gardner1970])",
                       .dims = 2,
                       .add_keys = {add_boundary_keys, add_life_keys},
                       .model = make_life,
                       .quantities = list_of(population_quantities()),
                       .has_precision = false});
}

}  // namespace haloheap
