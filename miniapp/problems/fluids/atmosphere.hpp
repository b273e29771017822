// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_FLUIDS_ATMOSPHERE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_FLUIDS_ATMOSPHERE_HPP

#include <haloheap/core/base/names.hpp>

#include <array>

/// The cases of miniWeather ([Norman2020]), on the host: 20 km x 10 km of dry air.
namespace haloheap::fluids {

enum class WeatherStart { thermal, collision, density_current, injection, gravity_waves };

constexpr auto names_of(WeatherStart) {
  return name_table<WeatherStart>("start", {{WeatherStart::thermal, "thermal"},
                                            {WeatherStart::collision, "collision"},
                                            {WeatherStart::density_current, "density_current"},
                                            {WeatherStart::injection, "injection"},
                                            {WeatherStart::gravity_waves, "gravity_waves"}});
}

/// Constants of dry air in SI units, as miniWeather has them.
namespace air {
inline constexpr double gravity = 9.8, heat_at_pressure = 1004, heat_at_volume = 717, gas_constant = 287;
inline constexpr double surface_pressure = 1e5;
inline constexpr double pressure_factor = 27.5629410929725921310572974482;  ///< p = factor (rho theta)^gamma
inline constexpr double gamma = 1.40027894002789400278940027894;
}  // namespace air

inline constexpr double weather_length[2] = {2e4, 1e4};  ///< in x and z

/// Air at rest at a height. Its potential temperature is constant, but in `gravity_waves`, where it grows so
/// that the air swings with the same frequency everywhere.
struct Background {
  double density, density_theta, pressure;
};
Background background_at(WeatherStart start, double z);

/// Density, momenta in x and z, and density x potential temperature, without the background: means of a cell
/// by Gauss' quadrature with three points in each dimension.
std::array<double, 4> weather_start(WeatherStart start, double x, double z, double dx, double dz);

/// Momentum in z that a unit of volume gets in a unit of time: in `gravity_waves` the air is lifted as by a
/// mountain. miniWeather adds its 0.01 m/s^2 in a loop over the four variables, three times before it uses
/// the sum, and in either direction: three times as much is what its serial versions do.
double weather_lift(WeatherStart start, double x, double z);

/// Of a unit of volume, with all of u^2 + w^2, as miniWeather sums it up.
double weather_energy(const std::array<double, 4>& state, const Background& background);

}  // namespace haloheap::fluids

#endif
