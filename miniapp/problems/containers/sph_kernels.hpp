// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_SPH_KERNELS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_SPH_KERNELS_HPP

#include <haloheap/miniapp/problems/containers/particles.hpp>

/// After [Mueller2003],
/// with all pairs looked at, as in the SkePU example. Units: m, s, kg.
namespace haloheap::sph {

using coherence::ElementIndex;

struct Particle {
  double x, y, z;
  double vx, vy, vz;
  double ax, ay, az;
  double density;
  double pressure;
  double peak;     ///< the largest density so far; kept in the second vector only
  double bounces;  ///< how often it met a wall
};

inline constexpr double rest_density = 1000;
inline constexpr double stiffness = 50;  ///< pressure per density, m2/s2: the square of the speed of sound
inline constexpr double viscosity = 2;   ///< Pa s
inline constexpr double gravity = 9.81;
inline constexpr double restitution = 0.5;  ///< speed that a wall gives back

/// The block is as good as a cube, its layers filled from below, in the middle of a box of twice its edge.
struct Parameters {
  ElementIndex particles = 0;
  ElementIndex side = 0;  ///< particles along an edge of the block
  double time_step = 0;
  double spacing = 0;
  double box = 0;        ///< its edge
  double mass = 0;       ///< of a particle
  double smoothing = 0;  ///< how far particles act
  double poly6 = 0;      ///< factor of the kernel of densities, 315 / (64 pi h^9)
  double spiky = 0;      ///< of the kernels' derivatives of pressure and viscosity, 45 / (pi h^6)
};
Parameters make_parameters(ElementIndex particles, double time_step, double spacing);

/// What both vectors start with. A lattice, a little disturbed.
struct Start {
  Parameters parameters;

  KOKKOS_FUNCTION Particle operator()(ElementIndex i) const {
    const ElementIndex side = parameters.side;
    Particle p{};
    p.x = place(i, i % side, 0);
    p.y = place(i, i / side % side, 1);
    p.z = place(i, i / (side * side), 2);
    return p;
  }

 private:
  KOKKOS_FUNCTION double place(ElementIndex i, ElementIndex number, int axis) const {
    const double disturbance = 0.2 * (particles::random(i, axis) - 0.5);
    return parameters.box / 4 + (static_cast<double>(number) + 0.5 + disturbance) * parameters.spacing;
  }
};

/// A particle of the second vector: that of the first, with its density and pressure. There is no tension.
struct Density {
  Parameters parameters;

  struct Sum {
    double cubes = 0;
    KOKKOS_FUNCTION void operator+=(const Sum& other) { cubes += other.cubes; }
  };

  KOKKOS_FUNCTION void pair(ElementIndex i, const Particle* first, ElementIndex j, Sum& sum) const {
    const double dx = first[j].x - first[i].x, dy = first[j].y - first[i].y, dz = first[j].z - first[i].z;
    const double rest = parameters.smoothing * parameters.smoothing - (dx * dx + dy * dy + dz * dz);
    if (rest > 0) sum.cubes += rest * rest * rest;
  }

  KOKKOS_FUNCTION Particle result(ElementIndex i, const Particle* first, const Sum& sum,
                                  const Particle& old) const {
    Particle p = first[i];
    p.density = parameters.mass * parameters.poly6 * sum.cubes;
    p.pressure = p.density > rest_density ? stiffness * (p.density - rest_density) : 0;
    p.peak = old.peak < p.density ? p.density : old.peak;
    return p;
  }
};

/// A particle of the first vector, with the acceleration by all of the second. Forces of two on each other
/// are opposite and equal.
struct Force {
  Parameters parameters;

  struct Sum {
    double ax = 0, ay = 0, az = 0;

    KOKKOS_FUNCTION void operator+=(const Sum& more) {
      ax += more.ax;
      ay += more.ay;
      az += more.az;
    }
  };

  KOKKOS_FUNCTION void pair(ElementIndex i, const Particle* second, ElementIndex j, Sum& sum) const {
    const Particle &at = second[i], &other = second[j];
    const double dx = other.x - at.x, dy = other.y - at.y, dz = other.z - at.z;
    const double square = dx * dx + dy * dy + dz * dz;
    if (square >= parameters.smoothing * parameters.smoothing || square == 0) return;
    const double distance = Kokkos::sqrt(square), rest = parameters.smoothing - distance;
    const double factor = parameters.mass * parameters.spiky * rest / (at.density * other.density);
    const double push = factor * rest * (at.pressure + other.pressure) / (2 * distance);
    const double drag = factor * viscosity;
    sum.ax += drag * (other.vx - at.vx) - push * dx;
    sum.ay += drag * (other.vy - at.vy) - push * dy;
    sum.az += drag * (other.vz - at.vz) - push * dz;
  }

  KOKKOS_FUNCTION Particle result(ElementIndex i, const Particle* second, const Sum& sum,
                                  const Particle& own) const {
    Particle p = own;
    p.ax = sum.ax;
    p.ay = sum.ay;
    p.az = sum.az - gravity;
    p.density = second[i].density;
    p.pressure = second[i].pressure;
    return p;
  }
};

/// New velocities, and then new positions with those.
struct Move {
  Parameters parameters;

  KOKKOS_FUNCTION Particle operator()(Particle p) const {
    move(p.x, p.vx, p.ax, p.bounces);
    move(p.y, p.vy, p.ay, p.bounces);
    move(p.z, p.vz, p.az, p.bounces);
    return p;
  }

 private:
  KOKKOS_FUNCTION void move(double& x, double& v, double a, double& bounces) const {
    v += parameters.time_step * a;
    x += parameters.time_step * v;
    if (x >= 0 && x <= parameters.box) return;
    x = x < 0 ? -x : 2 * parameters.box - x;
    x = x < 0 ? 0 : x > parameters.box ? parameters.box : x;
    v = -restitution * v;
    bounces += 1;
  }
};

}  // namespace haloheap::sph

#endif
