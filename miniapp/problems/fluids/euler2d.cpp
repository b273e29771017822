// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// A gas without viscosity: the Euler equations in conservation form, by finite volumes ([Toro2009]).
#include <haloheap/comm/agree.hpp>
#include <haloheap/miniapp/problems/fluids/euler_cases.hpp>
#include <haloheap/miniapp/problems/fluids/gas.hpp>
#include <haloheap/miniapp/problems/grids/grid_problem.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/problems/grids/rule_model.hpp>
#include <haloheap/miniapp/problems/precision.hpp>
#include <haloheap/miniapp/problems/problems.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string_view>

namespace haloheap {
namespace fluids {
namespace {

/// A stage of a Runge-Kutta method that bounds the total variation ([Shu1988]):
/// u <- before + weight (u + dt L(u) - before). `before` is what the step began with, so that there are eight
/// fields. Fewer are not enough: what one set of fields holds, each stage multiplies by 1 + c dt L, and real
/// c whose sum is 1 and whose products of two add up to 1/2 would have a sum of squares of 0.
template <class T, int Order, int Stages>
struct Euler {
  using Fields = stencil::FieldsOf<T, 8>;
  static constexpr int dims = 2, radius = Order, stages = Stages, max_fused_steps = 3;
  static constexpr auto shape = stencil::StencilShape::star;
  static constexpr bool uses_index = false;
  static constexpr std::string_view names[8] = {
      "density",        "momentum_x",        "momentum_y",        "energy",
      "density_before", "momentum_x_before", "momentum_y_before", "energy_before"};
  Gas<T> gas;
  Limiter limiter;
  T cells[2];  ///< of the unit length
  T weights[Stages];
  T time_step;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<T, 8> operator()(const Cell& cell) const {
    const int stage = cell.stage();
    const T weight = weights[stage];
    const State<T> in_x = inflow<0>(cell), in_y = inflow<1>(cell);
    stencil::Values<T, 8> result;
    HALOHEAP_UNROLL
    for (int i = 0; i < 4; ++i) {
      const T before = stage == 0 ? cell(i) : cell(4 + i);
      const T change = time_step * (cells[0] * in_x.value[i] + cells[1] * in_y.value[i]);
      result.value[i] = before + weight * ((cell(i) - before) + change);
      result.value[4 + i] = before;
    }
    return result;
  }

  /// Through the two faces across a dimension.
  template <int Dim, class Cell>
  KOKKOS_FORCEINLINE_FUNCTION State<T> inflow(const Cell& cell) const {
    State<T> around[2 * Order + 1];
    HALOHEAP_UNROLL
    for (int i = -Order; i <= Order; ++i) {
      State<T> conserved;
      HALOHEAP_UNROLL
      for (int k = 0; k < 4; ++k) conserved.value[k] = Dim == 0 ? cell(k, i, 0) : cell(k, 0, i);
      around[Order + i] = gas.primitive(conserved);
    }
    const State<T>* const here = around + Order;
    const State<T> low = gas.flux(Dim, face(here - 1, T{1}), face(here, T{-1}));
    const State<T> high = gas.flux(Dim, face(here, T{1}), face(here + 1, T{-1}));
    State<T> in;
    HALOHEAP_UNROLL
    for (int k = 0; k < 4; ++k) in.value[k] = low.value[k] - high.value[k];
    return in;
  }

  /// At the upper (1) or lower (-1) face of a cell.
  KOKKOS_FORCEINLINE_FUNCTION State<T> face(const State<T>* cell, T side) const {
    State<T> result = *cell;
    if constexpr (Order == 2) {
      HALOHEAP_UNROLL
      for (int k = 0; k < 4; ++k)
        result.value[k] +=
            side / 2 *
            limited(limiter, cell[0].value[k] - cell[-1].value[k], cell[1].value[k] - cell[0].value[k]);
    }
    return result;
  }
};

/// Gas::rate of all cells.
template <class T>
struct LargestRate {
  using Fields = stencil::FieldsOf<T, 8>;
  using Measures = stencil::Measures<stencil::Max>;
  static constexpr int dims = 2;
  Gas<T> gas;
  T cells[2];  ///< of the unit length

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const Cell& cell) const {
    return gas.rate({{cell(0), cell(1), cell(2), cell(3)}}, cells[0], cells[1]);
  }

  /// @param values on the host, field by field
  T over(const std::vector<T>& values, std::size_t count) const {
    T largest = 0;
    for (std::size_t i = 0; i < count; ++i)
      largest = std::max(largest, (*this)(OnHost{values.data() + i, count}));
    return largest;
  }

 private:
  struct OnHost {
    const T* first;
    std::size_t count;
    KOKKOS_FORCEINLINE_FUNCTION T operator()(int field) const {
      return first[static_cast<std::size_t>(field) * count];
    }
  };
};

struct EulerFigures {
  double time, courant, mass, momentum_x, momentum_y, energy;
};

const report::Quantities<EulerFigures>& euler_quantities() {
  static const report::Quantities<EulerFigures> all{
      {{"figures.time", "", "time",
        "Of the gas after the last step, where the fields are verified or written."},
       &EulerFigures::time},
      {{"figures.courant", "", "Courant number",
        "Cells that the fastest waves of the last field cross in a step as long as the last."},
       &EulerFigures::courant},
      {{.name = "figures.mass_change",
        .unit = "",
        .title = "change of mass",
        .help = "Over the mass at the start.",
        .range = report::Range::any},
       &EulerFigures::mass},
      {{.name = "figures.momentum_x_change",
        .unit = "",
        .title = "change of momentum in x",
        .help = "Of the mean over the unit square.",
        .range = report::Range::any},
       &EulerFigures::momentum_x},
      {{.name = "figures.momentum_y_change",
        .unit = "",
        .title = "change of momentum in y",
        .help = "The same in y.",
        .range = report::Range::any},
       &EulerFigures::momentum_y},
      {{.name = "figures.energy_change",
        .unit = "",
        .title = "change of energy",
        .help = "Over the energy at the start.",
        .range = report::Range::any},
       &EulerFigures::energy},
  };
  return all;
}

/// How far the steps of a run have come.
template <class T>
struct Clock {
  grid::Index steps = 0;
  double now = 0, last = 0;  ///< the time after all steps, and before the last
  T time_step = 0;

  void advance(grid::Index count) {
    steps += count;
    now += static_cast<double>(count) * static_cast<double>(time_step);
    last = now - static_cast<double>(time_step);
  }
};

template <class Rule>
class EulerModel final : public RuleModel<Rule> {
 public:
  using T = typename Rule::Fields::type;

  EulerModel(const GridSize& size, const EulerSettings& settings)
      : RuleModel<Rule>(size, rule_of(size, settings), euler_sides(settings)),
        settings_(settings),
        case_(euler_case(settings, size.cells)) {}

  CellValues<T> start() const override {
    return [start = case_](int field, const grid::Triple& cell) {
      return static_cast<T>(start->start(cell).value[field % 4]);
    };
  }

  void advance(comm::DeepHalo<T>& halo, grid::Index steps,
               const std::function<void(grid::Index)>& on_exchange) const override {
    if (halo.steps_made() == 0) clock_ = {};
    in_parts(
        clock_, steps, [&] { return static_cast<T>(halo.measure(rate())[0]); },
        [&](grid::Index done, grid::Index count, T time_step) {
          halo.replace(rule_with(time_step), this->sides());
          halo.advance(count, [&](grid::Index more) {
            if (on_exchange) on_exchange(done + more);
          });
        });
  }

  std::vector<T> reference(grid::Index steps) const override {
    const auto cells = static_cast<std::size_t>(product(this->size().cells));
    auto serial = this->serial_reference();
    Clock<T> clock;
    in_parts(
        clock, steps, [&] { return rate().over(serial.values(), cells); },
        [&](grid::Index /*done*/, grid::Index count, T time_step) {
          serial = {rule_with(time_step), this->sides(), this->size().cells, serial.values()};
          serial.advance(count);
        });
    return serial.values();
  }

  std::optional<KnownAnswer> known_answer(grid::Index steps) const override {
    const std::optional<double> error = case_->error(clock_.now);
    if (!error) return std::nullopt;
    // A stage rounds some fifty times, numbers that are hardly larger than 10; twice four fields.
    const double rounding = 8 * 50 * 10 * static_cast<double>(steps * Rule::stages) *
                            static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
    return KnownAnswer{.at =
                           [known = case_, clock = clock_](int field, const grid::Triple& cell) {
                             return known->later(cell, field < 4 ? clock.now : clock.last).value[field % 4];
                           },
                       .tolerance = 2 * *error + rounding,
                       .mean = true};
  }

  void measure(const OwnCells<T>& last, report::Point& point) const override {
    const double fastest = static_cast<double>(
        last.communicator.max(static_cast<double>(rate().over(last.cells, last.count()))));
    comm::agree(last.communicator, [&] {
      if (!(fastest < static_cast<double>(std::numeric_limits<T>::max())))
        throw VerificationError("the fields do not describe a gas any more", "the run has no result",
                                "use a smaller euler2d.courant or time_step, or a smaller update_every");
    });
    double change[4], mean[4];
    for (int field = 0; field < 4; ++field) {
      const auto start = [&](std::size_t cell) {
        return static_cast<T>(case_->start(last.place(cell)).value[field]);
      };
      mean[field] = last.mean(start);
      change[field] = last.mean([&](std::size_t cell) {
        return static_cast<double>(last(field, cell)) - static_cast<double>(start(cell));
      });
    }
    point.measure(euler_quantities(), {clock_.now, fastest * static_cast<double>(clock_.time_step),
                                       change[density] / mean[density], change[along_x], change[along_y],
                                       change[energy] / mean[energy]});
  }

 private:
  static Rule rule_of(const GridSize& size, const EulerSettings& s) {
    Rule rule{{static_cast<T>(s.gamma), s.flux},
              s.limiter,
              {static_cast<T>(size.cells.x), static_cast<T>(size.cells.y)},
              {T{1}, T{1} / (s.stages == 2 ? 2 : 4)},
              static_cast<T>(s.time_step)};
    if (s.stages == 3) rule.weights[Rule::stages - 1] = T{2} / 3;
    return rule;
  }
  Rule rule_with(T time_step) const {
    Rule rule = this->rule();
    rule.time_step = time_step;
    return rule;
  }
  LargestRate<T> rate() const { return {this->rule().gas, {this->rule().cells[0], this->rule().cells[1]}}; }

  /// Makes more steps, as many at a time as have the same length. What is no gas any more stands still.
  template <class Rate, class Advance>
  void in_parts(Clock<T>& clock, grid::Index steps, const Rate& largest_rate, const Advance& advance) const {
    const bool fixed = settings_.time_step > 0;
    const grid::Index every = fixed || settings_.every == 0 ? clock.steps + steps : settings_.every;
    for (grid::Index done = 0; done < steps;) {
      const grid::Index count = std::min(every - clock.steps % every, steps - done);
      if (fixed)
        clock.time_step = this->rule().time_step;
      else if (settings_.every == 0 ? clock.steps == 0 : clock.steps % every == 0)
        clock.time_step = static_cast<T>(settings_.courant) / largest_rate();
      advance(done, count, clock.time_step);
      clock.advance(count);
      done += count;
    }
  }

  EulerSettings settings_;
  std::shared_ptr<const EulerCase> case_;
  mutable Clock<T> clock_;  // of the last run
};

/// A fixed time step must not be too long from the start.
void check_time_step(const deck::Deck& deck, const GridSize& size, const EulerSettings& settings) {
  const auto known = euler_case(settings, size.cells);
  double rate = 0;
  for (const int dim : {0, 1}) rate += known->fastest(dim) * static_cast<double>(size.cells[dim]);
  if (settings.time_step * rate > 1)
    deck.reject("euler2d.time_step",
                fmt::format("the fastest waves cross {:.3g} cells in a step, and more than 1 is unstable",
                            settings.time_step * rate),
                fmt::format("use at most {:.3g}, or 0 and a Courant number", 1 / rate));
}

std::unique_ptr<GridModel> make_euler(const deck::Deck& deck, const GridSize& size) {
  const EulerSettings settings = read_euler(deck, size);
  check_time_step(deck, size, settings);
  return in_precision(read_precision(deck), [&]<class T>(T /*value*/) -> std::unique_ptr<GridModel> {
    if (settings.order == 1) {
      if (settings.stages == 2) return std::make_unique<EulerModel<Euler<T, 1, 2>>>(size, settings);
      return std::make_unique<EulerModel<Euler<T, 1, 3>>>(size, settings);
    }
    if (settings.stages == 2) return std::make_unique<EulerModel<Euler<T, 2, 2>>>(size, settings);
    return std::make_unique<EulerModel<Euler<T, 2, 3>>>(size, settings);
  });
}

}  // namespace
}  // namespace fluids

ProblemEntry euler2d_problem() {
  return grid_problem({.name = "euler2d",
                       .help = "2D gas without viscosity, finite volumes ([Toro2009])",
                       .dims = 2,
                       .add_keys = {fluids::add_euler_keys},
                       .model = fluids::make_euler,
                       .quantities = list_of(fluids::euler_quantities())});
}

}  // namespace haloheap
