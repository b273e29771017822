// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/containers/sph_reference.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

namespace haloheap::sph {
namespace {

/// A block of some metres' height that hits the floor is pressed to less. Where time steps are too long,
/// particles pass each other and end in heaps.
constexpr double max_density = 4 * rest_density;

using Triple = std::array<double, 3>;

Triple difference(const Triple& a, const Triple& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
double square(const Triple& a) {
  return a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
}

/// As map_pairs_reduce adds up: number j goes to sum j modulo 32, and those are joined by halves.
struct Sums {
  std::array<Triple, 32> sums{};

  Triple& of(std::size_t j) { return sums[j % 32]; }
  Triple joined() {
    for (std::size_t half = 16; half > 0; half /= 2)
      for (std::size_t k = 0; k < half; ++k)
        for (std::size_t axis = 0; axis < 3; ++axis) sums[k][axis] += sums[k + half][axis];
    return sums[0];
  }
};

/// All quantities in vectors of their own.
struct Reference {
  Parameters parameters;
  std::vector<Triple> at, velocity, acceleration;
  std::vector<double> density, pressure, bounces;

  explicit Reference(const Parameters& of) : parameters(of) {
    const auto n = static_cast<std::size_t>(of.particles);
    for (ElementIndex i = 0; i < of.particles; ++i) {
      const Particle p = Start{of}(i);
      at.push_back({p.x, p.y, p.z});
    }
    velocity.resize(n);
    acceleration.resize(n);
    density.resize(n);
    pressure.resize(n);
    bounces.resize(n);
  }

  void find_densities() {
    const double h = parameters.smoothing;
    for (std::size_t i = 0; i < at.size(); ++i) {
      Sums sums;
      for (std::size_t j = 0; j < at.size(); ++j) {
        const double rest = h * h - square(difference(at[j], at[i]));
        sums.of(j)[0] += rest > 0 ? rest * rest * rest : 0;
      }
      density[i] = parameters.mass * parameters.poly6 * sums.joined()[0];
      pressure[i] = std::max(0.0, stiffness * (density[i] - rest_density));
    }
  }

  void find_accelerations() {
    for (std::size_t i = 0; i < at.size(); ++i) {
      Sums sums;
      for (std::size_t j = 0; j < at.size(); ++j)
        if (i != j) add_pair(i, j, sums.of(j));
      acceleration[i] = sums.joined();
      acceleration[i][2] -= gravity;
    }
  }

  void add_pair(std::size_t i, std::size_t j, Triple& sum) const {
    const Triple away = difference(at[j], at[i]), faster = difference(velocity[j], velocity[i]);
    const double far = square(away), h = parameters.smoothing;
    if (far >= h * h || far == 0) return;
    const double distance = std::sqrt(far);
    const double factor = parameters.mass * parameters.spiky * (h - distance) / (density[i] * density[j]);
    const double push = factor * (h - distance) * (pressure[i] + pressure[j]) / (2 * distance);
    for (std::size_t axis = 0; axis < 3; ++axis)
      sum[axis] += factor * viscosity * faster[axis] - push * away[axis];
  }

  void move() {
    for (std::size_t i = 0; i < at.size(); ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        double &x = at[i][axis], &v = velocity[i][axis];
        v += parameters.time_step * acceleration[i][axis];
        x += parameters.time_step * v;
        const bool below = x<0, above = x> parameters.box;
        if (!below && !above) continue;
        x = std::clamp(below ? -x : 2 * parameters.box - x, 0.0, parameters.box);
        v *= -restitution;
        bounces[i] += 1;
      }
  }

  Particle particle(std::size_t i) const {
    const Triple &x = at[i], &v = velocity[i], &a = acceleration[i];
    return {x[0], x[1], x[2], v[0], v[1], v[2], a[0], a[1], a[2], density[i], pressure[i], 0, bounces[i]};
  }
};

}  // namespace

Parameters make_parameters(ElementIndex particles, double time_step, double spacing) {
  Parameters parameters{.particles = particles, .time_step = time_step, .spacing = spacing};
  while (parameters.side * parameters.side * parameters.side < particles) ++parameters.side;
  parameters.box = 2 * static_cast<double>(parameters.side) * spacing;
  parameters.mass = rest_density * spacing * spacing * spacing;
  const double h = parameters.smoothing = 2 * spacing;
  parameters.poly6 = 315 / (64 * std::numbers::pi * std::pow(h, 9));
  parameters.spiky = 45 / (std::numbers::pi * std::pow(h, 6));
  return parameters;
}

std::vector<Particle> reference(const Parameters& parameters, std::int64_t steps) {
  Reference state(parameters);
  for (std::int64_t step = 0; step < steps; ++step) {
    state.find_densities();
    state.find_accelerations();
    state.move();
  }
  std::vector<Particle> result;
  for (std::size_t i = 0; i < state.at.size(); ++i) result.push_back(state.particle(i));
  return result;
}

double excess_momentum(const Particle* particles, const Parameters& parameters, std::int64_t steps) {
  Triple sum{};
  double speeds = 0;
  for (ElementIndex i = 0; i < parameters.particles; ++i) {
    const Triple v{particles[i].vx, particles[i].vy, particles[i].vz};
    for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += v[axis];
    speeds += std::sqrt(square(v));
  }
  sum[2] +=
      static_cast<double>(parameters.particles) * static_cast<double>(steps) * parameters.time_step * gravity;
  return std::sqrt(square(sum)) / speeds;
}

double bounces(const Particle* particles, ElementIndex number) {
  double sum = 0;
  for (ElementIndex i = 0; i < number; ++i) sum += particles[i].bounces;
  return sum;
}

std::string impossible(const std::vector<Particle>& particles, const Parameters& parameters) {
  const auto inside = [&](double x) { return x >= 0 && x <= parameters.box; };
  for (std::size_t i = 0; i < particles.size(); ++i) {
    const Particle& p = particles[i];
    if (!inside(p.x) || !inside(p.y) || !inside(p.z) || !std::isfinite(p.vx + p.vy + p.vz))
      return fmt::format("particle {}, which is nowhere in the box", i);
    if (!(p.density > 0 && p.density < max_density))
      return fmt::format("the density of particle {}, {:.4g} kg/m3 (a shorter sph.time_step helps)", i,
                         p.density);
  }
  return "";
}

}  // namespace haloheap::sph
