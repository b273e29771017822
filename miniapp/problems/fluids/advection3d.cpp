// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What a steady uniform flow carries along: u_t + c . grad u = 0 around a grid.
#include <haloheap/miniapp/problems/grids/grid_problem.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/problems/grids/plane_wave.hpp>
#include <haloheap/miniapp/problems/grids/rule_model.hpp>
#include <haloheap/miniapp/problems/precision.hpp>
#include <haloheap/miniapp/problems/problems.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <string_view>

namespace haloheap {
namespace {

/// A stage of the Runge-Kutta method of third order that bounds the total variation ([Shu1988]):
/// u <- before + share (u + dt L u - before). `before` is what the step began with. L has differences of
/// order 2 Radius - 1, with one cell more on the side that the flow comes from.
template <class T, int Radius>
struct Advection {
  using Fields = stencil::Fields<T, T>;
  static constexpr int dims = 3, radius = Radius, stages = 3, max_fused_steps = 3;
  static constexpr auto shape = stencil::StencilShape::star;
  static constexpr bool uses_index = false;
  enum { u, begin };
  static constexpr std::string_view names[2] = {"u", "begin"};
  T share[stages];
  T weight[3][2 * Radius + 1];  ///< of dt L by dimension and distance, from -Radius on

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Cell& cell) const {
    const T before = cell.stage() == 0 ? cell(u) : cell(begin);
    return stencil::values(before + share[cell.stage()] * ((cell(u) - before) + change(cell)), before);
  }

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION T change(const Cell& cell) const {
    T sum = 0;
    HALOHEAP_UNROLL
    for (int i = -Radius; i <= Radius; ++i)
      sum += weight[0][Radius + i] * cell(u, i, 0, 0) + weight[1][Radius + i] * cell(u, 0, i, 0) +
             weight[2][Radius + i] * cell(u, 0, 0, i);
    return sum;
  }
};

struct AdvectionSettings {
  int order;
  std::array<double, 3> courant;  ///< cells that the flow crosses in a step
  double amplitude;
  grid::Triple mode;
};

void add_advection_keys(deck::Schema& schema) {
  deck::Section& section = schema.section("advection", "What a uniform flow carries along");
  section.integer("order", 3)
      .range(1, 3)
      .help("Of the differences in space: 1 or 3, which reach 1 or 2 cells");
  section.reals("courant", {0.4, 0.3, -0.2})
      .length(3, 3)
      .range(-1, 1)
      .unit("cells/step")
      .help("How far the flow gets in a step in each dimension");
  section.real("amplitude", 1).range(1e-12, 1e12).help("Of the wave at the start");
  section.integers("mode", {})
      .length(3, 3)
      .range(0, deck::largest_count)
      .unit("periods")
      .help("Of the wave in each dimension; none: 1 in each");
}

AdvectionSettings read_advection(const deck::Deck& deck, const GridSize& size) {
  AdvectionSettings settings{.order = deck.number("advection.order"),
                             .courant = read_reals(deck, "advection.courant", size.dims),
                             .amplitude = deck.get<double>("advection.amplitude"),
                             .mode = read_triple(deck, "advection.mode", size.dims, {1, 1, 1})};
  if (settings.order == 2)
    deck.reject("advection.order", "there are no differences of order 2 here", "use 1 or 3");
  double sum = 0;
  for (const double cells : settings.courant) sum += std::abs(cells);
  if (sum > 1)
    deck.reject("advection.courant",
                fmt::format("the flow crosses {:.6g} cells in a step, in all dimensions together", sum),
                "use numbers that add up to at most 1, up to which steps are stable");
  return settings;
}

struct AdvectionFigures {
  double error;
};

const report::Quantities<AdvectionFigures>& advection_quantities() {
  static const report::Quantities<AdvectionFigures> all{
      {{"figures.advection_error", "", "error of the wave",
        "Largest difference of u from the wave at the start, moved along with the flow, over the amplitude, "
        "where the fields are verified or written.",
        report::Shown{"error of the wave", 1, ".2e"}},
       &AdvectionFigures::error}};
  return all;
}

template <class T, int Radius>
class AdvectionModel final : public RuleModel<Advection<T, Radius>> {
 public:
  using Rule = Advection<T, Radius>;

  AdvectionModel(const GridSize& size, const AdvectionSettings& settings, grid::Index steps)
      : RuleModel<Rule>(size, rule_of(settings), {}),
        settings_(settings),
        wave_(size.cells, settings.mode),
        steps_(steps) {}

  CellValues<T> start() const override {
    return [wave = wave_, amplitude = settings_.amplitude](int /*field*/, const grid::Triple& cell) {
      return static_cast<T>(wave.at(cell, amplitude));
    };
  }

  /// What the steps make of a wave: a complex number for each of them, 1 + z + z^2/2 + z^3/6, where z is the
  /// number of dt L.
  std::optional<KnownAnswer> known_answer(grid::Index steps) const override {
    const double bound = rounding(steps);
    if (!(bound < 1)) return std::nullopt;
    const std::complex<double> z = symbol(), step = 1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0));
    const auto after = [&](grid::Index count) {
      return settings_.amplitude * std::pow(step, static_cast<double>(count));
    };
    return KnownAnswer{
        .at = [wave = wave_, now = after(steps), begin = after(std::max<grid::Index>(steps - 1, 0))](
                  int field,
                  const grid::Triple& cell) { return wave.at(cell, field == Rule::u ? now : begin); },
        .scale = settings_.amplitude,
        .tolerance = bound};
  }

  void measure(const OwnCells<T>& last, report::Point& point) const override {
    double way = 0;  // of the phase, backwards
    for (int dim = 0; dim < 3; ++dim)
      way +=
          static_cast<double>(steps_) * settings_.courant[static_cast<std::size_t>(dim)] * wave_.angle(dim);
    const std::complex<double> moved = std::polar(settings_.amplitude, -way);
    double worst = 0;
    for (std::size_t cell = 0; cell < last.count(); ++cell)
      worst = std::max(
          worst, std::abs(static_cast<double>(last(Rule::u, cell)) - wave_.at(last.place(cell), moved)));
    point.measure(advection_quantities(), {last.communicator.max(worst) / settings_.amplitude});
  }

 private:
  static Rule rule_of(const AdvectionSettings& s) {
    // Of the derivative, for a flow towards higher places.
    constexpr double weights[2][5] = {{-1, 1, 0}, {1.0 / 6, -1, 1.0 / 2, 1.0 / 3, 0}};
    Rule rule{{T{1}, T{1} / 4, T{2} / 3}, {}};
    for (std::size_t dim = 0; dim < 3; ++dim)
      for (int i = -Radius; i <= Radius; ++i) {
        const double courant = s.courant[dim];
        const double weight = weights[Radius - 1][Radius + (courant < 0 ? -i : i)];
        rule.weight[dim][Radius + i] = static_cast<T>(-std::abs(courant) * weight);
      }
    return rule;
  }

  std::complex<double> symbol() const {
    std::complex<double> sum = 0;
    for (int dim = 0; dim < 3; ++dim)
      for (int i = -Radius; i <= Radius; ++i)
        sum +=
            static_cast<double>(this->rule().weight[dim][Radius + i]) * std::polar(1.0, i * wave_.angle(dim));
    return sum;
  }

  /// A bound of all roundings. No wave grows, so that in the root of the sum of squares, which no cell
  /// exceeds, the errors of all steps add up. dt L makes at most 2 of 1, so that a stage makes at most 3 of
  /// its largest value, and what is wrong in the first and second stage is wrong by 0.75 x 2 and 2 times as
  /// much at the end. A stage rounds each product and each sum.
  double rounding(grid::Index steps) const {
    const grid::Triple& cells = this->size().cells;
    const double unit = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
    const double of_stage = (2 * 3 * (2 * Radius + 1) + 6) * unit * 3 * 3;
    return std::sqrt(static_cast<double>(product(cells))) *
           (unit + static_cast<double>(steps) * (1 + 2 + 1.5) * of_stage);
  }

  AdvectionSettings settings_;
  PlaneWave wave_;
  grid::Index steps_;
};

std::unique_ptr<GridModel> make_advection(const deck::Deck& deck, const GridSize& size) {
  const AdvectionSettings settings = read_advection(deck, size);
  const auto steps = deck.get<std::int64_t>("grid.steps");
  return in_precision(read_precision(deck), [&]<class T>(T /*value*/) -> std::unique_ptr<GridModel> {
    if (settings.order == 1) return std::make_unique<AdvectionModel<T, 1>>(size, settings, steps);
    return std::make_unique<AdvectionModel<T, 2>>(size, settings, steps);
  });
}

}  // namespace

ProblemEntry advection3d_problem() {
  return grid_problem({.name = "advection3d",
                       .help = "3D advection by a uniform flow, three stages of Runge and Kutta ([Shu1988])",
                       .dims = 3,
                       .add_keys = {add_advection_keys},
                       .model = make_advection,
                       .quantities = list_of(advection_quantities())});
}

}  // namespace haloheap
