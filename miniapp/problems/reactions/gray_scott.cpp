// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Two species that react and diffuse ([Pearson1993]).
#include <haloheap/core/stencil/initial.hpp>
#include <haloheap/miniapp/problems/grids/boundary_keys.hpp>
#include <haloheap/miniapp/problems/grids/grid_problem.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/problems/grids/rule_model.hpp>
#include <haloheap/miniapp/problems/precision.hpp>
#include <haloheap/miniapp/problems/problems.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace haloheap {
namespace {

/// An explicit Euler step of u_t = D_u lap u - u v^2 + F (1 - u), v_t = D_v lap v + u v^2 - (F + k) v, where
/// cells are one unit wide.
template <class T, int Dims>
struct GrayScott {
  using Fields = stencil::Fields<T, T>;
  static constexpr int dims = Dims, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;
  static constexpr bool uses_index = false, plain_sides = true;
  enum { u, v };
  static constexpr std::string_view names[2] = {"u", "v"};
  T feed, kill, diffusion_u, diffusion_v, time_step;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Cell& cell) const {
    const T reaction = cell(u) * cell(v) * cell(v);
    const T change_u = diffusion_u * laplacian(cell, u) - reaction + feed * (T{1} - cell(u));
    const T change_v = diffusion_v * laplacian(cell, v) + reaction - (feed + kill) * cell(v);
    return stencil::values(cell(u) + time_step * change_u, cell(v) + time_step * change_v);
  }

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION static T laplacian(const Cell& cell, int field) {
    T sum = cell(field, -1, 0) + cell(field, 1, 0) + cell(field, 0, -1) + cell(field, 0, 1);
    if constexpr (Dims == 3) sum += cell(field, 0, 0, -1) + cell(field, 0, 0, 1);
    return sum - T{2 * Dims} * cell(field);
  }
};

enum class Start { square, perturbed };

constexpr auto names_of(Start) {
  return name_table<Start>("start", {{Start::square, "square"}, {Start::perturbed, "perturbed"}});
}

void add_gray_scott_keys(deck::Schema& schema) {
  deck::Section& section = schema.section("gray_scott", "Two species that react and diffuse");
  section.real("feed", 0.037).range(0, 1).help("Rate F at which u comes in and both go out");
  section.real("kill", 0.06).range(0, 1).help("Rate k at which v goes out besides");
  section.real("diffusion_u", 0.16).range(0, 1e6).unit("cells^2/time").help("Of u");
  section.real("diffusion_v", 0.08).range(0, 1e6).unit("cells^2/time").help("Of v");
  section.real("time_step", 1).range(1e-9, 1e6).unit("time").help("Of explicit Euler");
  section.choice("start", Start::square)
      .help(
          "u = 1 and v = 0 but for u = 0.5, v = 0.25 in the middle; or a steady state and one mode, whose "
          "growth or decay is known");
  section.real("noise", 0.01).range(0, 1).help("Of start square: most that random numbers take from u and v");
  section.integer("seed", 1).at_least(0).seed().help("Of these random numbers");
  section.real("amplitude", 1e-4).range(1e-12, 1).help("Of start perturbed: that of the mode, in u and v");
  section.integers("mode", {})
      .length(2, 3)
      .range(0, deck::largest_count)
      .unit("periods")
      .help("Of start perturbed: periods in each dimension, half ones between walls; none: 1 in each");
}

/// What a deck says of it.
struct GrayScottSettings {
  double feed, kill, diffusion_u, diffusion_v, time_step;
  Start start;
  double noise, amplitude;
  std::uint64_t seed;
  grid::Triple mode;
  grid::Boundary boundary;
};

GrayScottSettings read_gray_scott(const deck::Deck& deck, const GridSize& size) {
  const auto real = [&](const char* key) { return deck.get<double>(std::string("gray_scott.") + key); };
  GrayScottSettings settings{real("feed"),
                             real("kill"),
                             real("diffusion_u"),
                             real("diffusion_v"),
                             real("time_step"),
                             deck.choice<Start>("gray_scott.start"),
                             real("noise"),
                             real("amplitude"),
                             static_cast<std::uint64_t>(deck.get<std::int64_t>("gray_scott.seed")),
                             read_triple(deck, "gray_scott.mode", size.dims, {1, 1, 1}),
                             read_boundary(deck, size.dims)};
  for (int dim = 0; dim < size.dims; ++dim)
    for (const bool high : {false, true})
      if (settings.boundary.side(dim, high) == grid::BoundaryKind::dirichlet)
        deck.reject(side_key("boundary", dim, high), "the two species have no one value beyond a side",
                    "use \"periodic\" or \"neumann\"");
  const double longest = 1 / (2.0 * size.dims * std::max(settings.diffusion_u, settings.diffusion_v));
  if (settings.time_step > longest)
    deck.reject("gray_scott.time_step",
                fmt::format("diffusion is unstable in steps of more than {:.6g} = 1 / ({} x diffusion)",
                            longest, 2 * size.dims),
                "use a smaller time step, or less diffusion");
  return settings;
}

/// Of u and v, or of what is added to them.
using Pair = std::array<double, 2>;
using Matrix = std::array<Pair, 2>;

Pair operator*(const Matrix& m, const Pair& p) {
  return {m[0][0] * p[0] + m[0][1] * p[1], m[1][0] * p[0] + m[1][1] * p[1]};
}

/// A homogeneous steady state, and what steps make of what is added to it.
class Linearised {
 public:
  template <class Rule>
  explicit Linearised(const Rule& rule)
      : dims_(Rule::dims), step_(rule.time_step), diffusion_{rule.diffusion_u, rule.diffusion_v} {
    const double feed = rule.feed, loss = feed + rule.kill;
    // u v = loss and feed u (1 - u) = loss^2, if that has a solution; else there is nothing of v.
    const double root = 1 - 4 * loss * loss / feed;
    if (loss > 0 && root >= 0) {
      state_[0] = (1 - std::sqrt(root)) / 2;
      state_[1] = loss / state_[0];
    }
    const auto [u, v] = state_;
    jacobian_ = {{{-v * v - feed, -2 * u * v}, {v * v, 2 * u * v - loss}}};
  }

  const Pair& state() const { return state_; }

  /// What a step makes of an eigenmode of the Laplacian.
  Matrix of_mode(double eigenvalue) const {
    Matrix m = jacobian_;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j)
        m[i][j] = (i == j ? 1 + step_ * diffusion_[i] * eigenvalue : 0) + step_ * jacobian_[i][j];
    return m;
  }

  /// The most that a step makes of an error in any cells, in the maximum norm.
  Matrix of_errors() const {
    Matrix m = jacobian_;
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) {
        const double around = i == j ? 2 * dims_ * step_ * diffusion_[i] : 0;
        m[i][j] = std::abs((i == j ? 1 - around : 0) + step_ * jacobian_[i][j]) + around;
      }
    return m;
  }

  /// The most that the terms of second and third order of u v^2 change in a step.
  double beyond(const Pair& added) const {
    const auto [p, q] = added;
    return step_ * (2 * state_[1] * p * q + state_[0] * q * q + p * q * q);
  }

 private:
  int dims_;
  double step_;
  Pair diffusion_, state_{1, 0};
  Matrix jacobian_;
};

struct Means {
  double u, v;
};

const report::Quantities<Means>& mean_quantities() {
  static const report::Quantities<Means> all{
      {{"figures.mean_u", "", "mean u",
        "Mean of u over the grid after the last step, where that is verified "
        "or written."},
       &Means::u},
      {{"figures.mean_v", "", "mean v", "The same of v."}, &Means::v},
  };
  return all;
}

template <class T, int Dims>
class GrayScottModel final : public RuleModel<GrayScott<T, Dims>, stencil::Residual> {
 public:
  using Rule = GrayScott<T, Dims>;

  GrayScottModel(const GridSize& size, const GrayScottSettings& s)
      : RuleModel<Rule, stencil::Residual>(
            size,
            {static_cast<T>(s.feed), static_cast<T>(s.kill), static_cast<T>(s.diffusion_u),
             static_cast<T>(s.diffusion_v), static_cast<T>(s.time_step)},
            stencil::side_rules(s.boundary, Dims)),
        settings_(s) {}

  CellValues<T> start() const override { return settings_.start == Start::square ? square() : perturbed(); }

  /// Concentrations change by less than 1; more would end in a residual that is not a number.
  std::optional<double> residual_bound() const override { return 1; }

  /// To first order each step multiplies the mode by the same matrix.
  std::optional<KnownAnswer> known_answer(grid::Index steps) const override {
    if (settings_.start != Start::perturbed) return std::nullopt;
    const Linearised linear(this->rule());
    const stencil::InitialField shape = mode();
    // The Laplacian's eigenvalue: a heat equation with diffusion 1 multiplies the mode by 1 more.
    const double eigenvalue =
        *shape.decay(stencil::heat_stencil(Dims, stencil::StencilShape::star, 1, 1), 0) - 1;
    const Matrix step = linear.of_mode(eigenvalue), worst = linear.of_errors();
    // Each of the roundings of a step is half a unit in the last place of a number that is at most so large.
    const double largest = 1 + linear.state()[0] + linear.state()[1];
    const double rounding = (2 * Dims + 12) * 0.5 * static_cast<double>(std::numeric_limits<T>::epsilon()) *
                            largest * (1 + settings_.time_step);
    Pair added{settings_.amplitude, settings_.amplitude}, error{rounding, rounding};
    for (grid::Index i = 0; i < steps; ++i) {
      const double beyond = linear.beyond({std::abs(added[0]) + error[0], std::abs(added[1]) + error[1]});
      error = worst * error;
      for (double& each : error) each += beyond + rounding;
      added = step * added;
    }
    const double tolerance = std::max(error[0], error[1]);
    if (!(tolerance < std::max(std::abs(added[0]), std::abs(added[1])))) return std::nullopt;
    return KnownAnswer{.at =
                           [state = linear.state(), added, shape](int field, const grid::Triple& cell) {
                             const auto i = static_cast<std::size_t>(field);
                             return state[i] + added[i] * shape.at(cell, 0);
                           },
                       .scale = settings_.amplitude,
                       .tolerance = tolerance / settings_.amplitude};
  }

  void measure(const OwnCells<T>& last, report::Point& point) const override {
    const auto mean = [&](int field) {
      return last.mean([&](std::size_t cell) { return last(field, cell); });
    };
    point.measure(mean_quantities(), {mean(Rule::u), mean(Rule::v)});
  }

 private:
  CellValues<T> square() const {
    return [settings = settings_, cells = this->size().cells](int field, const grid::Triple& cell) {
      bool inside = true;  // the middle eighth to each side
      for (int dim = 0; dim < Dims; ++dim)
        inside = inside && 4 * std::abs(2 * cell[dim] + 1 - cells[dim]) <= cells[dim];
      const double value = field == Rule::u ? (inside ? 0.5 : 1) : (inside ? 0.25 : 0);
      return static_cast<T>(value - settings.noise * value *
                                        stencil::random_value(settings.seed, cells, cell, field));
    };
  }

  CellValues<T> perturbed() const {
    return [state = Linearised(this->rule()).state(), amplitude = settings_.amplitude, shape = mode()](
               int field, const grid::Triple& cell) {
      return static_cast<T>(state[static_cast<std::size_t>(field)] + amplitude * shape.at(cell, 0));
    };
  }

  stencil::InitialField mode() const {
    return {{.mode = settings_.mode}, settings_.boundary, Dims, this->size().cells, 1};
  }

  GrayScottSettings settings_;
};

std::unique_ptr<GridModel> make_gray_scott(const deck::Deck& deck, const GridSize& size) {
  const GrayScottSettings settings = read_gray_scott(deck, size);
  return in_precision(read_precision(deck), [&]<class T>(T /*value*/) -> std::unique_ptr<GridModel> {
    if (size.dims == 2) return std::make_unique<GrayScottModel<T, 2>>(size, settings);
    return std::make_unique<GrayScottModel<T, 3>>(size, settings);
  });
}

ProblemEntry gray_scott(const char* name, int dims) {
  return grid_problem({.name = name,
                       .help = fmt::format("{}D reaction and diffusion of two species ([Pearson1993])", dims),
                       .dims = dims,
                       .add_keys = {add_boundary_keys, add_gray_scott_keys},
                       .model = make_gray_scott,
                       .quantities = list_of(mean_quantities())});
}

}  // namespace

ProblemEntry gray_scott2d_problem() {
  return gray_scott("gray_scott2d", 2);
}
ProblemEntry gray_scott3d_problem() {
  return gray_scott("gray_scott3d", 3);
}

}  // namespace haloheap
