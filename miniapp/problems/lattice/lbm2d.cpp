// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Viscous flow by a lattice Boltzmann method: nine velocities and one relaxation time ([Qian1992]).
#include <haloheap/backend/pragma.hpp>
#include <haloheap/miniapp/problems/grids/grid_problem.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/problems/grids/rule_model.hpp>
#include <haloheap/miniapp/problems/precision.hpp>
#include <haloheap/miniapp/problems/problems.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>

namespace haloheap {
namespace {

/// Steady flow in a square cavity with a moving lid, from a multigrid solution on 129 x 129 points
/// ([Ghia1982], Tables I and II).
namespace ghia1982 {

constexpr double reynolds = 100;

/// A point of a centreline, in widths of the cavity, and the velocity across it, over that of the lid.
struct Point {
  double at, velocity;
};

/// Velocity in x on the line x = 1/2, by y from the resting wall to the lid.
constexpr Point along_y[] = {{0.0547, -0.03717}, {0.0625, -0.04192}, {0.0703, -0.04775}, {0.1016, -0.06434},
                             {0.1719, -0.10150}, {0.2813, -0.15662}, {0.4531, -0.21090}, {0.5000, -0.20581},
                             {0.6172, -0.13641}, {0.7344, 0.00332},  {0.8516, 0.23151},  {0.9531, 0.68717},
                             {0.9609, 0.73722},  {0.9688, 0.78871},  {0.9766, 0.84123}};

/// Velocity in y on the line y = 1/2, by x in the direction in which the lid moves.
constexpr Point along_x[] = {{0.0625, 0.09233},  {0.0703, 0.10091},  {0.0781, 0.10890},  {0.0938, 0.12317},
                             {0.1563, 0.16077},  {0.2266, 0.17507},  {0.2344, 0.17527},  {0.5000, 0.05454},
                             {0.8047, -0.24533}, {0.8594, -0.22445}, {0.9063, -0.16914}, {0.9453, -0.10313},
                             {0.9531, -0.08864}, {0.9609, -0.07391}, {0.9688, -0.05906}};

}  // namespace ghia1982

/// The nine velocities, lowest y first and then lowest x: 8 - i is the opposite of i.
HALOHEAP_FUNCTION constexpr int x_of(int i) {
  return i % 3 - 1;
}
HALOHEAP_FUNCTION constexpr int y_of(int i) {
  return i / 3 - 1;
}
template <class T>
HALOHEAP_FUNCTION constexpr T weight_of(int i) {
  const bool x = x_of(i) != 0, y = y_of(i) != 0;
  return x && y ? T{1} / T{36} : (x || y ? T{1} / T{9} : T{4} / T{9});
}

/// A step of the populations of nine velocities, as collisions have left them: they stream to the next cell
/// and collide there. Walls lie halfway between the last cell and the next and send back what hits them; the
/// one at the highest y moves along x and pushes ([Ladd1994]).
template <class T>
struct LatticeBoltzmann {
  using Fields = stencil::FieldsOf<T, 9>;
  static constexpr int dims = 2, radius = 1, max_fused_steps = 4;
  static constexpr bool plain_sides = true;
  static constexpr std::string_view names[9] = {"f_sw", "f_s",  "f_se", "f_w", "f_rest",
                                                "f_e",  "f_nw", "f_n",  "f_ne"};
  T relaxation;  ///< the share of the way to equilibrium that a collision makes, 1 / relaxation time
  T lid;         ///< velocity of the wall at the highest y
  bool walls_x, walls_y;
  grid::Index last_x, last_y;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Cell& cell) const {
    const bool west = walls_x && cell.index(0) == 0, east = walls_x && cell.index(0) == last_x;
    const bool south = walls_y && cell.index(1) == 0, north = walls_y && cell.index(1) == last_y;
    stencil::Values<T, 9> f;
    T density{}, momentum_x{}, momentum_y{};
    HALOHEAP_UNROLL
    for (int i = 0; i < 9; ++i) {
      const int x = x_of(i), y = y_of(i);
      const bool beyond_x = (x > 0 && west) || (x < 0 && east);
      const bool beyond_y = (y > 0 && south) || (y < 0 && north);
      const T pushed = y < 0 && north && !beyond_x ? T{6} * weight_of<T>(i) * T(x) * lid : T{0};
      const T streamed = cell(i, -x, -y), sent_back = cell(8 - i) + pushed;
      f.value[i] = beyond_x || beyond_y ? sent_back : streamed;
      density += f.value[i];
      if (x != 0) momentum_x += T(x) * f.value[i];
      if (y != 0) momentum_y += T(y) * f.value[i];
    }
    const T u = momentum_x / density, v = momentum_y / density;
    HALOHEAP_UNROLL
    for (int i = 0; i < 9; ++i) f.value[i] += relaxation * (equilibrium(i, density, u, v) - f.value[i]);
    return f;
  }

  HALOHEAP_FUNCTION static T equilibrium(int i, T density, T u, T v) {
    const T along = component(i, u, v);
    return weight_of<T>(i) * density *
           (T{1} + T{3} * along + T{4.5} * along * along - T{1.5} * (u * u + v * v));
  }

 private:
  HALOHEAP_FUNCTION static T component(int i, T u, T v) {
    if (y_of(i) == 0) return T(x_of(i)) * u;
    return x_of(i) == 0 ? T(y_of(i)) * v : T(x_of(i)) * u + T(y_of(i)) * v;
  }
};

enum class LbmFlow { cavity, couette, taylor_green };

constexpr auto names_of(LbmFlow) {
  return name_table<LbmFlow>(
      "flow",
      {{LbmFlow::cavity, "cavity"}, {LbmFlow::couette, "couette"}, {LbmFlow::taylor_green, "taylor_green"}});
}

void add_lbm_keys(deck::Schema& schema) {
  deck::Section& section = schema.section("lbm", "Viscous flow by a lattice Boltzmann method");
  section.choice("flow", LbmFlow::cavity)
      .help(
          "Fluid at rest in a cavity whose lid begins to move in x, or between two plates of which one does "
          "(periodic in x); or vortices that decay (periodic)");
  section.real("reynolds", 100)
      .range(1e-3, 1e6)
      .help("velocity x length / viscosity; lengths: the lid's, the gap of the plates, the period in x");
  section.real("velocity", 0.1)
      .range(1e-9, 0.3)
      .unit("cells/step")
      .help("Of the lid or plate, or the vortices' at first; the speed of sound is 0.577");
}

/// What a deck says of it.
struct LbmSettings {
  LbmFlow flow;
  double reynolds, velocity;
  double viscosity;  ///< cells^2/step
  grid::Index steps;

  double relaxation_time() const { return 0.5 + 3 * viscosity; }
};

LbmSettings read_lbm(const deck::Deck& deck, const GridSize& size) {
  LbmSettings settings{deck.choice<LbmFlow>("lbm.flow"), deck.get<double>("lbm.reynolds"),
                       deck.get<double>("lbm.velocity"), 0, deck.get<std::int64_t>("grid.steps")};
  const grid::Index length = settings.flow == LbmFlow::couette ? size.cells.y : size.cells.x;
  settings.viscosity = settings.velocity * static_cast<double>(length) / settings.reynolds;
  constexpr double shortest = 0.501, longest = 5;
  const double time = settings.relaxation_time();
  if (time < shortest || time > longest)
    deck.reject("lbm.reynolds",
                fmt::format("gives a relaxation time of {:.6g} steps, which is not between {} and {}: {}",
                            time, shortest, longest, time < shortest ? "unstable" : "walls are misplaced"),
                time < shortest ? "use a larger grid or velocity, or a smaller Reynolds number"
                                : "use a smaller grid or velocity, or a larger Reynolds number");
  return settings;
}

struct Velocity {
  double u, v;
};

/// Vortices of one period, a solution of the equations of Navier and Stokes whose velocities all decay alike.
struct TaylorGreen {
  double x_wave, y_wave, velocity, viscosity;

  TaylorGreen(const GridSize& size, const LbmSettings& settings)
      : x_wave(2 * std::numbers::pi / static_cast<double>(size.cells.x)),
        y_wave(2 * std::numbers::pi / static_cast<double>(size.cells.y)),
        velocity(settings.velocity),
        viscosity(settings.viscosity) {}

  Velocity at(const grid::Triple& cell, double time) const {
    const auto [x, y] = phase(cell);
    const double now = velocity * std::exp(-viscosity * (x_wave * x_wave + y_wave * y_wave) * time);
    return {-now * std::sqrt(y_wave / x_wave) * std::cos(x) * std::sin(y),
            now * std::sqrt(x_wave / y_wave) * std::sin(x) * std::cos(y)};
  }
  /// Of the start. The pressure is a third of it.
  double density(const grid::Triple& cell) const {
    const auto [x, y] = phase(cell);
    return 1 - 0.75 * velocity * velocity *
                   (y_wave / x_wave * std::cos(2 * x) + x_wave / y_wave * std::cos(2 * y));
  }
  /// What the velocity of this number makes of the velocity gradient of the start.
  double gradient(const grid::Triple& cell, int i) const {
    const auto [x, y] = phase(cell);
    const double stretch = velocity * std::sqrt(x_wave * y_wave) * std::sin(x) * std::sin(y);
    const double shear = velocity * std::cos(x) * std::cos(y) *
                         (x_wave * std::sqrt(x_wave / y_wave) - y_wave * std::sqrt(y_wave / x_wave));
    return (x_of(i) * x_of(i) - y_of(i) * y_of(i)) * stretch + x_of(i) * y_of(i) * shear;
  }

 private:
  Velocity phase(const grid::Triple& cell) const {
    return {x_wave * (static_cast<double>(cell.x) + 0.5), y_wave * (static_cast<double>(cell.y) + 0.5)};
  }
};

/// Of plates one of which begins to move, at a height of 0 to 1 between them: a solution by Fourier series.
double couette_velocity(double height, double viscosity_times_time_over_gap_squared) {
  double sum = height;
  for (int n = 1; n <= 1000; ++n) {
    const double wave = n * std::numbers::pi;
    const double decay = std::exp(-wave * wave * viscosity_times_time_over_gap_squared);
    if (decay < std::numeric_limits<double>::epsilon()) break;
    sum += (n % 2 == 0 ? 2 : -2) / wave * decay * std::sin(wave * height);
  }
  return sum;
}

/// Keeps what is not a number, so that it is seen.
void keep_larger(double& worst, double value) {
  if (!(value <= worst)) worst = value;
}

struct Flow {
  double mass, fastest;
  std::optional<double> error;
};

const report::Quantities<Flow>& flow_quantities() {
  static const report::Quantities<Flow> all{
      {{"figures.mass", "", "mass",
        "Sum of the density over all cells, which is 1 in the mean at first, after the last step, where that "
        "is verified or written."},
       &Flow::mass},
      {{"figures.largest_velocity", "cells/step", "largest velocity", "Of all cells, likewise."},
       &Flow::fastest},
      {{"figures.velocity_error", "", "velocity error",
        "Largest difference of u or v from what is known, over lbm.velocity: of taylor_green and couette the "
        "solution of the equations of Navier and Stokes after as many steps; of a square cavity at a "
        "Reynolds "
        "number of 100 the steady velocities on the centrelines of [Ghia1982].",
        report::Shown{"velocity error", 1, ".2e"}},
       &Flow::error},
  };
  return all;
}

/// Velocities of a rank's own cells.
template <class T>
class OwnVelocities {
 public:
  explicit OwnVelocities(const OwnCells<T>& cells) : cells_(cells) {}

  double density(std::size_t cell) const {
    double sum = 0;
    for (int i = 0; i < 9; ++i) sum += static_cast<double>(cells_(i, cell));
    return sum;
  }
  Velocity at(std::size_t cell) const {
    double x = 0, y = 0;
    for (int i = 0; i < 9; ++i) {
      x += x_of(i) * static_cast<double>(cells_(i, cell));
      y += y_of(i) * static_cast<double>(cells_(i, cell));
    }
    return {x / density(cell), y / density(cell)};
  }
  /// Between cells by linear interpolation; cell 0 is at 0.5. Collective.
  Velocity between(double x, double y) const {
    Velocity sum{0, 0};
    for (std::size_t cell = 0; cell < cells_.count(); ++cell) {
      const grid::Triple here = cells_.place(cell);
      const double share = std::max(0.0, 1 - std::abs(x - 0.5 - static_cast<double>(here.x))) *
                           std::max(0.0, 1 - std::abs(y - 0.5 - static_cast<double>(here.y)));
      if (share == 0) continue;
      const Velocity own = at(cell);
      sum = {sum.u + share * own.u, sum.v + share * own.v};
    }
    return {cells_.communicator.sum(sum.u), cells_.communicator.sum(sum.v)};
  }

 private:
  const OwnCells<T>& cells_;
};

template <class T>
class LbmModel final : public RuleModel<LatticeBoltzmann<T>> {
 public:
  using Rule = LatticeBoltzmann<T>;

  LbmModel(const GridSize& size, const LbmSettings& s)
      : RuleModel<Rule>(
            size,
            {static_cast<T>(1 / s.relaxation_time()), static_cast<T>(s.velocity), s.flow == LbmFlow::cavity,
             s.flow != LbmFlow::taylor_green, size.cells.x - 1, size.cells.y - 1},
            sides_of(s.flow)),
        settings_(s) {}

  /// At rest; or near equilibrium, with what the viscous stress needs ([Krueger2017], chapter 5).
  CellValues<T> start() const override {
    if (settings_.flow != LbmFlow::taylor_green)
      return [](int field, const grid::Triple& /*cell*/) { return weight_of<T>(field); };
    return [vortices = TaylorGreen(this->size(), settings_), after = settings_.relaxation_time() - 1](
               int field, const grid::Triple& cell) {
      const auto [u, v] = vortices.at(cell, 0);
      const double density = vortices.density(cell);
      return static_cast<T>(LatticeBoltzmann<double>::equilibrium(field, density, u, v) -
                            3 * after * weight_of<double>(field) * density * vortices.gradient(cell, field));
    };
  }

  void measure(const OwnCells<T>& last, report::Point& point) const override {
    const OwnVelocities<T> velocities(last);
    double mass = 0, fastest = 0;
    for (std::size_t cell = 0; cell < last.count(); ++cell) {
      const auto [u, v] = velocities.at(cell);
      mass += velocities.density(cell);
      keep_larger(fastest, std::hypot(u, v));
    }
    point.measure(flow_quantities(),
                  {last.communicator.sum(mass), last.communicator.max(fastest), error_of(velocities, last)});
  }

 private:
  static stencil::SideRules sides_of(LbmFlow flow) {
    if (flow == LbmFlow::taylor_green) return {};
    stencil::SideRules sides = stencil::SideRules::everywhere(stencil::Outside::mirror(), 2);
    if (flow == LbmFlow::couette) sides.low[0] = sides.high[0] = {};
    return sides;
  }

  std::optional<double> error_of(const OwnVelocities<T>& velocities, const OwnCells<T>& last) const {
    const grid::Triple& cells = this->size().cells;
    if (settings_.flow == LbmFlow::cavity) {
      if (cells.x != cells.y || settings_.reynolds != ghia1982::reynolds) return std::nullopt;
      return cavity_error(velocities);
    }
    const TaylorGreen vortices(this->size(), settings_);
    const double time = static_cast<double>(settings_.steps), gap = static_cast<double>(cells.y);
    double worst = 0;
    for (std::size_t cell = 0; cell < last.count(); ++cell) {
      const grid::Triple place = last.place(cell);
      Velocity known{0, 0};
      if (settings_.flow == LbmFlow::taylor_green)
        known = vortices.at(place, time);
      else
        known.u = settings_.velocity * couette_velocity((static_cast<double>(place.y) + 0.5) / gap,
                                                        settings_.viscosity * time / (gap * gap));
      const auto [u, v] = velocities.at(cell);
      keep_larger(worst, std::abs(u - known.u));
      keep_larger(worst, std::abs(v - known.v));
    }
    return last.communicator.max(worst) / settings_.velocity;
  }

  double cavity_error(const OwnVelocities<T>& velocities) const {
    const auto width = static_cast<double>(this->size().cells.x);
    double worst = 0;
    for (const auto& [y, u] : ghia1982::along_y)
      keep_larger(worst, std::abs(velocities.between(width / 2, y * width).u / settings_.velocity - u));
    for (const auto& [x, v] : ghia1982::along_x)
      keep_larger(worst, std::abs(velocities.between(x * width, width / 2).v / settings_.velocity - v));
    return worst;
  }

  LbmSettings settings_;
};

std::unique_ptr<GridModel> make_lbm(const deck::Deck& deck, const GridSize& size) {
  const LbmSettings settings = read_lbm(deck, size);
  return in_precision(read_precision(deck), [&]<class T>(T /*value*/) -> std::unique_ptr<GridModel> {
    return std::make_unique<LbmModel<T>>(size, settings);
  });
}

}  // namespace

ProblemEntry lbm2d_problem() {
  return grid_problem(
      {.name = "lbm2d",
       .help = "2D viscous flow by a lattice Boltzmann method with nine velocities ([Qian1992])",
       .dims = 2,
       .add_keys = {add_lbm_keys},
       .model = make_lbm,
       .quantities = list_of(flow_quantities())});
}

}  // namespace haloheap
