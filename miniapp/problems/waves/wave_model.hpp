// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_WAVES_WAVE_MODEL_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_WAVES_WAVE_MODEL_HPP

#include <haloheap/comm/upload.hpp>
#include <haloheap/miniapp/problems/grids/grid_problem.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/problems/grids/rule_model.hpp>
#include <haloheap/miniapp/problems/precision.hpp>
#include <haloheap/miniapp/problems/waves/standing_wave.hpp>
#include <haloheap/miniapp/problems/waves/wave_energy.hpp>
#include <haloheap/miniapp/problems/waves/wave_rule.hpp>
#include <haloheap/miniapp/problems/waves/wave_traces.hpp>

#include <fmt/format.h>

#include <limits>
#include <type_traits>

namespace haloheap {

struct WaveFigures {
  double energy;
  std::optional<double> change;
};

inline const report::Quantities<WaveFigures>& wave_quantities() {
  static const report::Quantities<WaveFigures> all{
      {{"figures.energy", "", "energy",
        "Energy that leapfrog steps conserve where nothing is absorbed, after the last step, where that is "
        "verified or written."},
       &WaveFigures::energy},
      {{"figures.energy_change", "", "change of energy",
        "The same over that of the start, less 1; none for a start at rest.", report::Shown{.format = ".1e"},
        report::Range::any},
       &WaveFigures::change},
  };
  return all;
}

template <class T, int Dims, int Radius>
class WaveModel final : public RuleModel<Wave<T, Dims, Radius>, stencil::Residual> {
 public:
  using Rule = Wave<T, Dims, Radius>;
  using Base = RuleModel<Rule, stencil::Residual>;

  /// @param steps that the deck makes
  WaveModel(const WaveSettings& settings, grid::Index steps)
      : WaveModel(settings,
                  std::make_shared<const std::vector<T>>(rounded(ricker_wavelet(settings, steps)))) {}

  CellValues<T> start() const override {
    if (settings_.start == WaveStart::source) return [](int, const grid::Triple&) { return T{0}; };
    return [wave = standing_wave(), settings = settings_](int field, const grid::Triple& cell) {
      const double value = wave.shape(cell);
      return static_cast<T>(field == Rule::now ? value : value * wave.step_before(settings.courant2(cell)));
    };
  }

  std::shared_ptr<comm::DeepHalo<T>> halo(
      const comm::Communicator& communicator, const comm::Grid& grid, const comm::DeepHaloConfig& config,
      T* now, T* next, const std::shared_ptr<memory::MemoryResource>& resource) const override {
    traces_->place(grid, comm::layout_of<Rule>(grid, config.depth));
    return Base::halo(communicator, grid, config, now, next, resource);
  }

  /// Stops where receivers are read.
  void advance(comm::DeepHalo<T>& halo, grid::Index steps,
               const std::function<void(grid::Index)>& on_exchange) const override {
    if (settings_.receivers.cells.empty()) return Base::advance(halo, steps, on_exchange);
    traces_->begin(halo.now());
    for (grid::Index done = 0; done < steps;) {
      const grid::Index part = std::min(settings_.receivers.interval, steps - done);
      halo.advance(part, [&](grid::Index of_part) {
        if (on_exchange) on_exchange(done + of_part);
      });
      halo.finish();
      done += part;
      traces_->record(done, halo.now());
    }
  }

  void write_files(const RunContext& context) const override { traces_->write(context, settings_.time_step); }

  /// What an energy that never grows allows.
  std::optional<double> residual_bound() const override {
    return bound_of_changes(settings_, std::vector<double>(wavelet_->begin(), wavelet_->end()));
  }

  /// In a uniform medium the wave stands.
  std::optional<KnownAnswer> known_answer(grid::Index steps) const override {
    if (settings_.start != WaveStart::mode || settings_.speed.medium != Medium::uniform ||
        settings_.absorbs())
      return std::nullopt;
    const double tolerance = wave_rounding(settings_, steps, std::numeric_limits<T>::epsilon() / 2);
    if (!(tolerance < 1)) return std::nullopt;
    const double courant2 = static_cast<T>(settings_.courant2({0, 0, 0}));
    const auto at = [wave = standing_wave(), courant2, steps](int field, const grid::Triple& cell) {
      return wave.shape(cell) * wave.factor(courant2, field == Rule::now ? steps : steps - 1);
    };
    return KnownAnswer{.at = at, .scale = settings_.amplitude, .tolerance = tolerance};
  }

  void measure(const OwnCells<T>& last, report::Point& point) const override {
    const CellsAround<T, Dims> cells(last.communicator, last.rank_grid, Radius, last.cells.data());
    const auto before = [&](const grid::Triple& cell) { return last(Rule::before, last.number(cell)); };
    const auto now = [&](const grid::Triple& cell) { return cells.at(cell); };
    WaveFigures figures{last.communicator.sum(wave_energy(settings_, last.own, now, before)), {}};
    const double first = last.communicator.sum(start_energy(last.own));
    if (first > 0) figures.change = figures.energy / first - 1;
    point.measure(wave_quantities(), figures);
  }

 protected:
  CellValues<T> constants() const override {
    return [settings = settings_](int constant, const grid::Triple& cell) {
      const double taper = settings.taper(cell);
      return static_cast<T>(constant == Rule::taper ? taper : taper * settings.courant2(cell));
    };
  }

  typename Base::RuleInKernels rule_in(
      const std::shared_ptr<memory::MemoryResource>& resource) const override {
    const auto copy =
        std::make_shared<memory::Array<T>>(resource, "haloheap::waves::wavelet", wavelet_->size());
    comm::detail::upload(*copy, *wavelet_);
    Rule rule = this->rule();
    rule.source.samples.values = copy->data();
    return {rule, copy};
  }

 private:
  using Wavelet = std::shared_ptr<const std::vector<T>>;

  WaveModel(const WaveSettings& settings, const Wavelet& wavelet)
      : Base(settings.size, rule_of(settings, *wavelet), settings.sides()),
        settings_(settings),
        wavelet_(wavelet),
        traces_(std::make_unique<WaveTraces>(settings.receivers)) {}

  static std::vector<T> rounded(const std::vector<double>& values) { return {values.begin(), values.end()}; }

  static Rule rule_of(const WaveSettings& settings, const std::vector<T>& wavelet) {
    Rule rule{};
    for (int i = 0; i <= Radius; ++i)
      rule.weight[i] = static_cast<T>(second_derivative(2 * Radius)[static_cast<std::size_t>(i)]);
    rule.weight[0] *= Dims;
    for (int dim = 0; dim < Dims; ++dim)
      rule.source.where.place[dim] = static_cast<int>(settings.source[dim]);
    rule.source.samples = {wavelet.data(), static_cast<grid::Index>(wavelet.size())};
    return rule;
  }

  StandingWave standing_wave() const {
    const auto& weight = this->rule().weight;
    return StandingWave(settings_, std::vector<double>(weight, weight + Radius + 1));
  }

  double start_energy(const grid::Box& own) const {
    if (settings_.start == WaveStart::source) return 0;
    const CellValues<T> value = start();
    const auto now = [&](grid::Triple cell) {
      for (int dim = 0; dim < Dims; ++dim)
        cell[dim] = (cell[dim] + settings_.size.cells[dim]) % settings_.size.cells[dim];
      return value(Rule::now, cell);
    };
    return wave_energy(settings_, own, now,
                       [&](const grid::Triple& cell) { return value(Rule::before, cell); });
  }

  WaveSettings settings_;
  Wavelet wavelet_;
  std::unique_ptr<WaveTraces> traces_;  // what the last run has left: of the run, not of the model
};

/// Calls `make` with the radius of an order, as a type.
template <class Make>
auto with_radius(int order, const Make& make) {
  switch (order) {
    case 2:
      return make(std::integral_constant<int, 1>{});
    case 4:
      return make(std::integral_constant<int, 2>{});
    default:
      return make(std::integral_constant<int, 4>{});
  }
}

template <int Dims>
std::unique_ptr<GridModel> make_waves(const deck::Deck& deck, const GridSize& size) {
  const WaveSettings settings = read_waves(deck, size);
  const auto steps = deck.get<std::int64_t>("grid.steps");
  return in_precision(read_precision(deck), [&]<class T>(T /*value*/) {
    return with_radius(settings.order, [&](auto radius) -> std::unique_ptr<GridModel> {
      return std::make_unique<WaveModel<T, Dims, radius.value>>(settings, steps);
    });
  });
}

template <int Dims>
ProblemEntry waves(const char* name) {
  return grid_problem({.name = name,
                       .help = fmt::format("{}D acoustic waves, leapfrog in time ([Alford1974])", Dims),
                       .dims = Dims,
                       .add_keys = {add_wave_keys},
                       .model = make_waves<Dims>,
                       .quantities = list_of(wave_quantities())});
}

}  // namespace haloheap

#endif
