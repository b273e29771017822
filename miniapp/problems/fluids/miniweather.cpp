// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Dry air above the ground: the equations, cases and checks of miniWeather ([Norman2020]).
#include <haloheap/comm/agree.hpp>
#include <haloheap/miniapp/problems/fluids/atmosphere.hpp>
#include <haloheap/miniapp/problems/fluids/dry_air.hpp>
#include <haloheap/miniapp/problems/grids/grid_problem.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/problems/grids/rule_model.hpp>
#include <haloheap/miniapp/problems/precision.hpp>
#include <haloheap/miniapp/problems/problems.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace haloheap {
namespace fluids {
namespace {

/// One of six stages: three of a Runge-Kutta method in one direction, then three in the other. Even steps
/// begin with x. The fields are what the air at rest does not have, and the same as the three stages began
/// with.
template <class T>
struct Weather {
  using Fields = stencil::FieldsOf<T, 8>;
  using Constants = stencil::FieldsOf<T, 7>;  ///< RestingAir at the cell's middle, at its lower face; lift
  static constexpr int dims = 2, radius = 2, stages = 6, max_fused_steps = 3;
  static constexpr auto shape = stencil::StencilShape::star;
  using Air = DryAir<T>;
  static constexpr const auto& names = Air::names;
  T time_steps[3];  ///< of the three stages
  T widths[2];      ///< of a cell
  T gravity;
  Air air;
  RestingAir<T> top;      ///< at the uppermost face
  T wall[2][2];           ///< density of the two cells outside the lower and upper wall over that inside
  grid::Index last;       ///< row of cells
  grid::Index inflow[2];  ///< first row with cold air from the left, and the first without
  T inflow_speed, inflow_theta;

  // The direction is chosen value by value, without branches, so that compilers compute several cells at
  // once.
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<T, 8> operator()(const Cell& cell) const {
    const int stage = cell.stage() % 3;
    const bool first = stage == 0, in_x = (cell.stage() / 3 + cell.step()) % 2 == 0;
    const T time_step = time_steps[stage], ratio = time_step / (in_x ? widths[0] : widths[1]);
    const bool lowest = !in_x && cell.index(1) == 0, highest = !in_x && cell.index(1) == last;
    const auto low = RestingAir<T>::of(cell, in_x ? 0 : 3, 0);
    const auto above = RestingAir<T>::of(cell, in_x ? 0 : 3, in_x ? 0 : 1);
    const auto high = RestingAir<T>::choose(highest, top, above);
    T s[4][5];
    around(cell, in_x, lowest, highest, low, s);
    const auto lower = air.flux(s, 0, low, in_x, lowest, ratio);
    const auto upper = air.flux(s, 1, high, in_x, highest, ratio);
    const T weight = (in_x ? T{0} : time_step * gravity * cell(Air::density)) - time_step * cell.constant(6);
    stencil::Values<T, 8> result;
    HALOHEAP_UNROLL
    for (int k = 0; k < 4; ++k) {
      result.value[4 + k] = first ? cell(k) : cell(4 + k);
      const T change = (lower.value[k] - upper.value[k]) - (k == Air::momentum_z ? weight : T{0});
      result.value[k] = result.value[4 + k] + change;
    }
    return result;
  }

  /// The cell and two neighbours to each side, with cold wind from the left and walls.
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION void around(const Cell& cell, bool in_x, bool lowest, bool highest,
                                          const RestingAir<T>& rest, T (&s)[4][5]) const {
    const bool cold = in_x && cell.index(1) >= inflow[0] && cell.index(1) < inflow[1];
    HALOHEAP_UNROLL
    for (int i = 0; i < 5; ++i) {
      HALOHEAP_UNROLL
      for (int k = 0; k < 4; ++k) s[k][i] = in_x ? cell(k, i - 2, 0) : cell(k, 0, i - 2);
      const bool enters = cold && cell.index(0) + i < 2;
      const T dense = s[Air::density][i] + rest.density;
      s[Air::momentum_x][i] = enters ? dense * inflow_speed : s[Air::momentum_x][i];
      s[Air::density_theta][i] =
          enters ? dense * inflow_theta - rest.density_theta : s[Air::density_theta][i];
    }
    // `outside` knows of the second cell outside only the second one inside.
    s[Air::momentum_x][0] = lowest ? cell(Air::momentum_x) * wall[0][1] : s[Air::momentum_x][0];
    s[Air::momentum_x][4] = highest ? cell(Air::momentum_x) * wall[1][1] : s[Air::momentum_x][4];
  }

  /// Momentum in x: the air outside a wall is as fast as that inside.
  KOKKOS_FORCEINLINE_FUNCTION T outside(int /*field*/, const stencil::Ghost<T>& ghost) const {
    return ghost.mirrored * wall[ghost.high ? 1 : 0][ghost.distance < 1 ? 0 : 1];
  }
};

struct WeatherSettings {
  WeatherStart start;
  double time_step, hyperviscosity;
};

void add_weather_keys(deck::Schema& schema) {
  deck::Section& section = schema.section("miniweather", "Dry air, 20 km wide and 10 km high");
  section.choice("start", WeatherStart::thermal)
      .help(
          "Warm air that rises; warm and cold air that meet; cold air that falls; cold wind from the left; "
          "wind over a mountain");
  section.real("time_step", 0).range(0, 1e3).unit("s").help("0: 1.5 cells at 450 m/s");
  section.real("hyperviscosity", 0.05).range(0, 1).help("Of the differences of fourth order, over 16");
}

WeatherSettings read_weather(const deck::Deck& deck, const GridSize& size) {
  WeatherSettings settings{deck.choice<WeatherStart>("miniweather.start"),
                           deck.get<double>("miniweather.time_step"),
                           deck.get<double>("miniweather.hyperviscosity")};
  const double width = std::min(weather_length[0] / static_cast<double>(size.cells.x),
                                weather_length[1] / static_cast<double>(size.cells.y));
  const double longest = 1.5 * width / 450;
  if (settings.time_step > longest)
    deck.reject("miniweather.time_step",
                fmt::format("sound crosses more than 1.5 cells in more than {:.6g} s", longest),
                "use a smaller time step, or 0");
  if (settings.time_step == 0) settings.time_step = longest;
  return settings;
}

struct WeatherFigures {
  double time, mass, energy;
};

const report::Quantities<WeatherFigures>& weather_quantities() {
  static const report::Quantities<WeatherFigures> all{
      {{"figures.simulated_s", "s", "simulated",
        "Time of the air, where the fields are verified or written."},
       &WeatherFigures::time},
      {{.name = "figures.d_mass",
        .unit = "",
        .title = "change of mass",
        .help = "Over the mass at the start: miniWeather's d_mass.",
        .range = report::Range::any},
       &WeatherFigures::mass},
      {{.name = "figures.d_te",
        .unit = "",
        .title = "change of energy",
        .help =
            "Over the energy at the start: miniWeather's d_te, which counts all of the velocity's square.",
        .range = report::Range::any},
       &WeatherFigures::energy},
  };
  return all;
}

/// Of a cell of the grid in metres.
double width_of(const GridSize& size, int dim) {
  return weather_length[dim] / static_cast<double>(size.cells[dim]);
}

template <class T>
RestingAir<T> resting_at(WeatherStart start, double z) {
  const Background air = background_at(start, z);
  return {static_cast<T>(air.density), static_cast<T>(air.density_theta), static_cast<T>(air.pressure)};
}

template <class T>
Weather<T> weather_rule(const GridSize& size, const WeatherSettings& s) {
  const double dz = width_of(size, 1), top = weather_length[1];
  const auto density = [&](double z) { return background_at(s.start, z).density; };
  const auto over = [&](double outside, double inside) {
    return static_cast<T>(density(outside) / density(inside));
  };
  Weather<T> rule{.time_steps = {static_cast<T>(s.time_step / 3), static_cast<T>(s.time_step / 2),
                                 static_cast<T>(s.time_step)},
                  .widths = {static_cast<T>(width_of(size, 0)), static_cast<T>(dz)},
                  .gravity = static_cast<T>(air::gravity),
                  .air = {PowerOfSum<T>(air::gamma), static_cast<T>(s.hyperviscosity / 16)},
                  .top = resting_at<T>(s.start, top),
                  .wall = {{over(-dz / 2, dz / 2), over(-3 * dz / 2, dz / 2)},
                           {over(top + dz / 2, top - dz / 2), over(top + 3 * dz / 2, top - dz / 2)}},
                  .last = size.cells.y - 1,
                  .inflow = {0, 0},
                  .inflow_speed = T{50},
                  .inflow_theta = T{298}};
  if (s.start == WeatherStart::injection)
    for (grid::Index row = 0; row < size.cells.y; ++row)
      if (std::abs((static_cast<double>(row) + 0.5) * dz - 0.75 * top) <= top / 16) {
        if (rule.inflow[1] == 0) rule.inflow[0] = row;
        rule.inflow[1] = row + 1;
      }
  return rule;
}

/// Around x, and between walls in z.
stencil::SideRules weather_sides() {
  using stencil::Outside;
  stencil::SideRules sides;
  for (int times = 0; times < 2; ++times)
    for (const Outside& each : {Outside::outflow(), Outside::rule(), Outside::value(0), Outside::outflow()})
      sides.low[1].push_back(each);
  sides.high[1] = sides.low[1];
  return sides;
}

template <class T>
class WeatherModel final : public RuleModel<Weather<T>> {
 public:
  WeatherModel(const GridSize& size, const WeatherSettings& settings, grid::Index steps)
      : RuleModel<Weather<T>>(size, weather_rule<T>(size, settings), weather_sides()),
        settings_(settings),
        steps_(steps) {}

  CellValues<T> start() const override {
    return [this](int field, const grid::Triple& cell) {
      if (field % 4 == DryAir<T>::density || field % 4 == DryAir<T>::momentum_z) return T{0};
      return static_cast<T>(start_of(cell)[static_cast<std::size_t>(field % 4)]);
    };
  }

  void measure(const OwnCells<T>& last, report::Point& point) const override {
    std::vector<std::array<double, 4>> before(last.count());
    std::vector<Background> rest(last.count());
    for (std::size_t i = 0; i < last.count(); ++i) {
      const grid::Triple cell = last.place(i);
      before[i] = start_of(cell);
      rest[i] = background_at(settings_.start, middle(cell, 1));
    }
    const auto energy = [&](std::size_t i) { return weather_energy(before[i], rest[i]); };
    const double mass_change =
        last.mean([&](std::size_t i) { return static_cast<double>(last(0, i)) - before[i][0]; });
    const double energy_change = last.mean([&](std::size_t i) {
      const auto of = [&](int field) { return static_cast<double>(last(field, i)); };
      return weather_energy({of(0), of(1), of(2), of(3)}, rest[i]) - energy(i);
    });
    const WeatherFigures figures{
        static_cast<double>(steps_) * settings_.time_step,
        mass_change / last.mean([&](std::size_t i) { return before[i][0] + rest[i].density; }),
        energy_change / last.mean(energy)};
    comm::agree(last.communicator, [&] { check(figures); });
    point.measure(weather_quantities(), figures);
  }

 protected:
  CellValues<T> constants() const override {
    // The same in a whole row: powers take long.
    std::vector<RestingAir<T>> middles, faces;
    for (grid::Index row = 0; row < this->size().cells.y; ++row) {
      const double dz = width_of(this->size(), 1);
      middles.push_back(resting_at<T>(settings_.start, (static_cast<double>(row) + 0.5) * dz));
      faces.push_back(resting_at<T>(settings_.start, static_cast<double>(row) * dz));
    }
    return [middles, faces, this](int field, const grid::Triple& cell) {
      if (field == 6) return static_cast<T>(weather_lift(settings_.start, middle(cell, 0), middle(cell, 1)));
      const RestingAir<T>& air = (field < 3 ? middles : faces)[static_cast<std::size_t>(cell.y)];
      return field % 3 == 0 ? air.density : field % 3 == 1 ? air.density_theta : air.pressure;
    };
  }

 private:
  double middle(const grid::Triple& cell, int dim) const {
    return (static_cast<double>(cell[dim]) + 0.5) * width_of(this->size(), dim);
  }
  std::array<double, 4> start_of(const grid::Triple& cell) const {
    return weather_start(settings_.start, middle(cell, 0), middle(cell, 1), width_of(this->size(), 0),
                         width_of(this->size(), 1));
  }

  /// The run by which miniWeather tests itself, and its limits.
  void check(const WeatherFigures& figures) const {
    const grid::Triple& cells = this->size().cells;
    const bool tested = std::is_same_v<T, double> && settings_.start == WeatherStart::thermal &&
                        cells.x == 100 && cells.y == 50 && std::abs(figures.time - 400) < 1e-6;
    const bool kept = std::abs(figures.mass) < 1e-13 && figures.energy < 0 && figures.energy > -4.5e-5;
    if (tested && !kept)
      throw VerificationError(
          fmt::format("the mass changes by {:.3g} and the energy by {:.3g}", figures.mass, figures.energy),
          "miniWeather allows 1e-13 and from -4.5e-5 to 0", "use miniWeather's time step and hyperviscosity");
  }

  WeatherSettings settings_;
  grid::Index steps_;
};

std::unique_ptr<GridModel> make_weather(const deck::Deck& deck, const GridSize& size) {
  const WeatherSettings settings = read_weather(deck, size);
  return in_precision(read_precision(deck), [&]<class T>(T /*value*/) -> std::unique_ptr<GridModel> {
    return std::make_unique<WeatherModel<T>>(size, settings, deck.get<std::int64_t>("grid.steps"));
  });
}

}  // namespace
}  // namespace fluids

ProblemEntry miniweather_problem() {
  return grid_problem({.name = "miniweather",
                       .help = "2D dry air above the ground, as in miniWeather ([Norman2020])",
                       .dims = 2,
                       .add_keys = {fluids::add_weather_keys},
                       .model = fluids::make_weather,
                       .quantities = list_of(fluids::weather_quantities())});
}

}  // namespace haloheap
