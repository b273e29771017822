// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/fluids/atmosphere.hpp>

#include <cmath>
#include <numbers>

namespace haloheap::fluids {
namespace {

constexpr double theta = 300;  // potential temperature of the background, in K

/// Warmer or colder air in an ellipse around (middle, z0).
struct Bubble {
  double kelvin, z0, radius_x, radius_z;

  double at(double x, double z) const {
    const double across = (x - weather_length[0] / 2) / radius_x, up = (z - z0) / radius_z;
    const double distance = std::sqrt(across * across + up * up);
    if (distance > 1) return 0;
    const double shape = std::cos(distance * std::numbers::pi / 2);
    return kelvin * shape * shape;
  }
};

double warmer(WeatherStart start, double x, double z) {
  switch (start) {
    case WeatherStart::thermal:
      return Bubble{3, 2000, 2000, 2000}.at(x, z);
    case WeatherStart::collision:
      return Bubble{20, 2000, 2000, 2000}.at(x, z) + Bubble{-20, 8000, 2000, 2000}.at(x, z);
    case WeatherStart::density_current:
      return Bubble{-20, 5000, 4000, 2000}.at(x, z);
    case WeatherStart::injection:
      return 0;
  }
  throw InternalError("a start of the weather has no air");
}

}  // namespace

Background background_at(double z) {
  const double exner = 1 - air::gravity * z / (air::heat_at_pressure * theta);
  const double pressure = air::surface_pressure * std::pow(exner, air::heat_at_pressure / air::gas_constant);
  const double density_theta = std::pow(pressure / air::pressure_factor, 1 / air::gamma);
  return {density_theta / theta, density_theta, air::pressure_factor * std::pow(density_theta, air::gamma)};
}

std::array<double, 4> weather_start(WeatherStart start, double x, double z, double dx, double dz) {
  static const double points[3] = {-std::sqrt(0.15), 0, std::sqrt(0.15)};
  constexpr double weights[3] = {5.0 / 18, 4.0 / 9, 5.0 / 18};
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const double height = z + points[k] * dz;
      const double kelvin = warmer(start, x + points[i] * dx, height);
      if (kelvin != 0) sum += weights[i] * weights[k] * background_at(height).density * kelvin;
    }
  return {0, 0, 0, sum};
}

double weather_energy(const std::array<double, 4>& state, const Background& background) {
  const double density = state[0] + background.density, density_theta = state[3] + background.density_theta;
  const double pressure = air::pressure_factor * std::pow(density_theta, air::gamma);
  const double exner = std::pow(pressure / air::surface_pressure, air::gas_constant / air::heat_at_pressure);
  return (state[1] * state[1] + state[2] * state[2]) / density + air::heat_at_volume * density_theta * exner;
}

}  // namespace haloheap::fluids
