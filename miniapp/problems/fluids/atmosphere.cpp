// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/fluids/atmosphere.hpp>

#include <cmath>
#include <numbers>

namespace haloheap::fluids {
namespace {

constexpr double ground_theta = 300;  // potential temperature of the background at the ground, in K
constexpr double wind = 15;           // of gravity waves, in m/s

/// Something in an ellipse: `max` of it in the middle, and 0 at the edge.
struct Bubble {
  double max, x0, z0, radius_x, radius_z;

  double at(double x, double z) const {
    const double across = (x - x0) / radius_x, up = (z - z0) / radius_z;
    const double distance = std::sqrt(across * across + up * up);
    if (distance > 1) return 0;
    const double shape = std::cos(distance * std::numbers::pi / 2);
    return max * shape * shape;
  }
};

double warmer(WeatherStart start, double x, double z) {
  constexpr double middle = weather_length[0] / 2;
  switch (start) {
    case WeatherStart::thermal:
      return Bubble{3, middle, 2000, 2000, 2000}.at(x, z);
    case WeatherStart::collision:
      return Bubble{20, middle, 2000, 2000, 2000}.at(x, z) + Bubble{-20, middle, 8000, 2000, 2000}.at(x, z);
    case WeatherStart::density_current:
      return Bubble{-20, middle, 5000, 4000, 2000}.at(x, z);
    case WeatherStart::injection:
    case WeatherStart::gravity_waves:
      return 0;
  }
  throw InternalError("a start of the weather has no air");
}

/// Potential temperature of the air at rest and its Exner function, which hydrostatic balance demands.
struct Column {
  double theta, exner;
};

Column neutral_column(double z) {
  return {ground_theta, 1 - air::gravity * z / (air::heat_at_pressure * ground_theta)};
}

/// @param frequency of Brunt and Vaisala, in 1/s
Column stable_column(double z, double frequency) {
  const double rate = frequency * frequency / air::gravity;
  const double theta = ground_theta * std::exp(rate * z);
  const double fall = air::gravity / (air::heat_at_pressure * rate) * (1 / ground_theta - 1 / theta);
  return {theta, 1 - fall};
}

}  // namespace

Background background_at(WeatherStart start, double z) {
  const auto [theta, exner] =
      start == WeatherStart::gravity_waves ? stable_column(z, 0.02) : neutral_column(z);
  const double pressure = air::surface_pressure * std::pow(exner, air::heat_at_pressure / air::gas_constant);
  const double density_theta = std::pow(pressure / air::pressure_factor, 1 / air::gamma);
  return {density_theta / theta, density_theta, air::pressure_factor * std::pow(density_theta, air::gamma)};
}

std::array<double, 4> weather_start(WeatherStart start, double x, double z, double dx, double dz) {
  static const double points[3] = {-std::sqrt(0.15), 0, std::sqrt(0.15)};
  constexpr double weights[3] = {5.0 / 18, 4.0 / 9, 5.0 / 18};
  const double speed = start == WeatherStart::gravity_waves ? wind : 0;
  double momentum = 0, density_theta = 0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const double height = z + points[k] * dz;
      const double kelvin = warmer(start, x + points[i] * dx, height);
      if (kelvin == 0 && speed == 0) continue;
      const double mass = weights[i] * weights[k] * background_at(start, height).density;
      momentum += mass * speed;
      density_theta += mass * kelvin;
    }
  return {0, momentum, 0, density_theta};
}

double weather_lift(WeatherStart start, double x, double z) {
  if (start != WeatherStart::gravity_waves) return 0;
  const double acceleration = Bubble{3 * 0.01, weather_length[0] / 8, 1000, 500, 500}.at(x, z);
  return acceleration == 0 ? 0 : acceleration * background_at(start, z).density;
}

double weather_energy(const std::array<double, 4>& state, const Background& background) {
  const double density = state[0] + background.density, density_theta = state[3] + background.density_theta;
  const double pressure = air::pressure_factor * std::pow(density_theta, air::gamma);
  const double exner = std::pow(pressure / air::surface_pressure, air::gas_constant / air::heat_at_pressure);
  return (state[1] * state[1] + state[2] * state[2]) / density + air::heat_at_volume * density_theta * exner;
}

}  // namespace haloheap::fluids
