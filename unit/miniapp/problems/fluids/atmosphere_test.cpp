// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/fluids/atmosphere.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace haloheap::fluids {
namespace {

constexpr WeatherStart all_starts[] = {WeatherStart::thermal, WeatherStart::collision,
                                       WeatherStart::density_current, WeatherStart::injection,
                                       WeatherStart::gravity_waves};

double theta_at(WeatherStart start, double z) {
  const Background air = background_at(start, z);
  return air.density_theta / air.density;
}

TEST(Atmosphere, RestsInHydrostaticBalance) {
  constexpr double dz = 1;
  for (const WeatherStart start : all_starts) {
    EXPECT_NEAR(background_at(start, 0).pressure, air::surface_pressure, 1e-7);
    for (double z = 50; z < weather_length[1]; z += 450) {
      const double slope =
          (background_at(start, z + dz).pressure - background_at(start, z - dz).pressure) / (2 * dz);
      EXPECT_NEAR(slope / (-air::gravity * background_at(start, z).density), 1, 1e-7) << z;
    }
  }
}

TEST(Atmosphere, IsNeutralOrSwingsWithOneFrequency) {
  for (const WeatherStart start : all_starts)
    for (double z = 0; z < weather_length[1]; z += 500) {
      const double rise = std::log(theta_at(start, z + 100) / theta_at(start, z)) / 100;
      EXPECT_NEAR(air::gravity * rise, start == WeatherStart::gravity_waves ? 0.02 * 0.02 : 0, 1e-15) << z;
    }
}

TEST(Atmosphere, AWindBlowsThroughGravityWaves) {
  for (const WeatherStart start : all_starts) {
    const auto state = weather_start(start, 700, 8500, 1, 1);
    const double wind = state[1] / background_at(start, 8500).density;
    EXPECT_NEAR(wind, start == WeatherStart::gravity_waves ? 15 : 0, 1e-6);
    EXPECT_EQ(state[0], 0);
    EXPECT_EQ(state[2], 0);
    EXPECT_EQ(state[3], 0);
  }
}

TEST(Atmosphere, AMountainLiftsIt) {
  const auto acceleration = [](WeatherStart start, double x, double z) {
    return weather_lift(start, x, z) / background_at(start, z).density;
  };
  const WeatherStart waves = WeatherStart::gravity_waves;
  EXPECT_NEAR(acceleration(waves, 2500, 1000), 0.03, 1e-15);
  for (const double side : {-1, 1}) {
    EXPECT_NEAR(acceleration(waves, 2500 + side * 250, 1000), 0.015, 1e-15);
    EXPECT_NEAR(acceleration(waves, 2500, 1000 + side * 250), 0.015, 1e-15);
    EXPECT_EQ(weather_lift(waves, 2500 + side * 501, 1000), 0);
    EXPECT_EQ(weather_lift(waves, 2500, 1000 + side * 501), 0);
  }
  for (const WeatherStart start : all_starts) EXPECT_EQ(weather_lift(start, 2500, 1000) != 0, start == waves);
}

}  // namespace
}  // namespace haloheap::fluids
