// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/fluids/euler_cases.hpp>
#include <haloheap/miniapp/problems/fluids/exact_riemann.hpp>

#include <cmath>
#include <numbers>

namespace haloheap::fluids {
namespace {

using std::numbers::pi;

/// A membrane in the middle of a tube bursts ([Sod1978]).
class SodTube final : public EulerCase {
 public:
  SodTube(const EulerSettings& settings, const grid::Triple& cells)
      : EulerCase(settings, cells), exact_(settings.gamma, {1, 0, 1}, {0.125, 0, 0.1}) {}

  State<double> start(const grid::Triple& cell) const override { return later(cell, 0); }

  double fastest(int dim) const override {
    return dim == settings().along ? exact_.fastest() : exact_.fastest() - exact_.star_velocity();
  }

  State<double> later(const grid::Triple& cell, double time) const override {
    const double x = middle(cell, settings().along) - 0.5;
    const auto [density, velocity, pressure] = exact_.at(time > 0 ? x / time : std::copysign(1e300, x));
    State<double> primitive{{density, 0, 0, pressure}};
    primitive.value[along_x + settings().along] = velocity;
    return gas().conserved(primitive);
  }

  /// As if the scheme spread every jump by its largest numerical diffusion D, half a cell times the fastest
  /// wave: a jump of 1 is then wrong by sqrt(4 D t / pi) together ([Kuznetsov1976] proves this rate for one
  /// conservation law).
  std::optional<double> error(double time) const override {
    if (time * std::max(-exact_.first_wave(), exact_.last_wave()) > 0.5) return std::nullopt;
    const double width = 1 / static_cast<double>(cells()[settings().along]);
    const double diffusion = width / 2 * exact_.fastest();
    // What the start itself leaves out: the membrane may lie within a cell.
    return variation(time) * (std::sqrt(4 * diffusion * time / pi) + width / 2);
  }

 private:
  /// Of all four components together.
  double variation(double time) const {
    double sum = 0;
    grid::Triple cell;
    for (grid::Index i = 1; i < cells()[settings().along]; ++i) {
      const State<double> before = later(cell, time);
      cell[settings().along] = i;
      const State<double> here = later(cell, time);
      for (int field = 0; field < 4; ++field) sum += std::abs(here.value[field] - before.value[field]);
    }
    return sum;
  }

  ExactRiemann exact_;
};

constexpr double carrier[2] = {1, 0.5};  ///< velocity of the flow that carries a wave or a vortex

/// Density 1 and a sine, which a uniform flow carries along. Cells have its mean, so that the answer has no
/// error of its own.
class DensityWave final : public EulerCase {
 public:
  using EulerCase::EulerCase;

  State<double> start(const grid::Triple& cell) const override { return later(cell, 0); }

  double fastest(int dim) const override { return std::abs(carrier[dim]) + sound(); }

  State<double> later(const grid::Triple& cell, double time) const override {
    double angle = 0, mean = settings().amplitude;
    for (const int dim : {0, 1}) {
      const double half = wave_number(dim) / static_cast<double>(cells()[dim]) / 2;
      angle += wave_number(dim) * (middle(cell, dim) - carrier[dim] * time);
      mean *= half > 0 ? std::sin(half) / half : 1;
    }
    return gas().conserved({{1 + mean * std::sin(angle), carrier[0], carrier[1], 1}});
  }

  /// Velocity and pressure stay what they are, and the density obeys a monotone scheme of first order: its
  /// error is at most the time times what the exact solution leaves over in it. That is the diffusion
  /// d/dx (h / 2) s d/dx, where s <= |u| + c depends on the density, and the central differences' third
  /// derivative. Limited slopes only take away diffusion.
  std::optional<double> error(double time) const override {
    const double a = settings().amplitude;
    double rate = 0;
    for (const int dim : {0, 1}) {
      const double k = wave_number(dim), h = 1 / static_cast<double>(cells()[dim]);
      rate += h / 2 * (fastest(dim) * a * k * k + sound() / (2 * (1 - a)) * a * a * k * k) +
              std::abs(carrier[dim]) * h * h / 6 * a * k * k * k;
    }
    const double fields =
        1 + carrier[0] + carrier[1] + (carrier[0] * carrier[0] + carrier[1] * carrier[1]) / 2;
    if (rate * time > a) return std::nullopt;  // it says nothing
    return fields * rate * time;
  }

 private:
  double wave_number(int dim) const { return 2 * pi * static_cast<double>(settings().mode[dim]); }
  double sound() const { return std::sqrt(settings().gamma / (1 - settings().amplitude)); }
};

/// A vortex without change of entropy, which a uniform flow carries along ([Yee1999]): at a
/// distance of r radii it turns with the velocity a r exp((1 - r^2) / 2), and the pressure holds it together.
class Vortex final : public EulerCase {
 public:
  using EulerCase::EulerCase;

  State<double> start(const grid::Triple& cell) const override { return later(cell, 0); }

  double fastest(int dim) const override {
    return carrier[dim] + settings().amplitude + std::sqrt(settings().gamma);
  }

  State<double> later(const grid::Triple& cell, double time) const override {
    const double x = distance(cell, 0, time), y = distance(cell, 1, time), gamma = settings().gamma;
    const double turn = settings().amplitude * std::exp((1 - x * x - y * y) / 2);
    const double temperature = 1 - (gamma - 1) / (2 * gamma) * turn * turn;
    return gas().conserved({{std::pow(temperature, 1 / (gamma - 1)), carrier[0] - turn * y,
                             carrier[1] + turn * x, std::pow(temperature, gamma / (gamma - 1))}});
  }

  /// As if the scheme spread the vortex by its largest numerical diffusion D, half a cell times the fastest
  /// wave: that changes the fields in the mean by at most D t times their second derivatives.
  std::optional<double> error(double time) const override {
    double sum = 0;
    for (const int dim : {0, 1}) {
      const auto n = static_cast<double>(cells()[dim]);
      sum += bend(dim) * n * n * fastest(dim) / (2 * n);
    }
    // At half the grid's length the vortex is not quite over.
    return sum * time + 8 * settings().amplitude * std::exp((1 - 0.25 / (radius * radius)) / 2);
  }

 private:
  static constexpr double radius = 0.08;

  /// From the middle of the nearest vortex, in radii.
  double distance(const grid::Triple& cell, int dim, double time) const {
    const double way = middle(cell, dim) - 0.5 - carrier[dim] * time;
    return (way - std::round(way)) / radius;
  }

  /// The mean of |second difference| along a dimension, of all four components together.
  double bend(int dim) const {
    const grid::Index n = cells()[dim];
    double sum = 0;
    grid::Triple cell;
    for (cell.y = 0; cell.y < cells().y; ++cell.y)
      for (cell.x = 0; cell.x < cells().x; ++cell.x) {
        grid::Triple low = cell, high = cell;
        low[dim] = (cell[dim] + n - 1) % n;
        high[dim] = (cell[dim] + 1) % n;
        const State<double> here = start(cell), before = start(low), after = start(high);
        for (int field = 0; field < 4; ++field)
          sum += std::abs(before.value[field] - 2 * here.value[field] + after.value[field]);
      }
    return sum / static_cast<double>(cells().x * cells().y);
  }
};

/// A dense stream between two light ones that flow the other way, with smooth edges and a push across them
/// ([Lecoanet2016], section 2).
class KelvinHelmholtz final : public EulerCase {
 public:
  using EulerCase::EulerCase;

  State<double> start(const grid::Triple& cell) const override {
    constexpr double edge = 0.025, spread = 0.1;
    const double x = middle(cell, 0), y = middle(cell, 1);
    const double stream = (std::tanh((y - 0.25) / edge) - std::tanh((y - 0.75) / edge)) / 2;
    const auto near = [y](double at) { return std::exp(-(y - at) * (y - at) / (spread * spread)); };
    const double push = settings().amplitude * std::sin(4 * pi * x) * (near(0.25) + near(0.75));
    return gas().conserved({{1 + stream, stream - 0.5, push, pressure}});
  }

  double fastest(int dim) const override {
    return std::sqrt(settings().gamma * pressure) + (dim == 0 ? 0.5 : settings().amplitude);
  }

 private:
  static constexpr double pressure = 2.5;
};

}  // namespace

std::shared_ptr<const EulerCase> euler_case(const EulerSettings& settings, const grid::Triple& cells) {
  switch (settings.start) {
    case EulerStart::sod:
      return std::make_shared<SodTube>(settings, cells);
    case EulerStart::wave:
      return std::make_shared<DensityWave>(settings, cells);
    case EulerStart::kelvin_helmholtz:
      return std::make_shared<KelvinHelmholtz>(settings, cells);
    case EulerStart::vortex:
      return std::make_shared<Vortex>(settings, cells);
  }
  throw InternalError("a start of the gas has no case");
}

}  // namespace haloheap::fluids
