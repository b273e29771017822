// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_NBODY_KERNELS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_NBODY_KERNELS_HPP

#include <haloheap/miniapp/problems/containers/particles.hpp>

namespace haloheap::nbody {

using coherence::ElementIndex;

/// Eleven doubles, as in the SkePU example. What a call writes has the new position, and the velocity,
/// acceleration and potential of where it came from: only then are they known for one and the same time.
struct Particle {
  double x, y, z;
  double vx, vy, vz;
  double ax, ay, az;
  double mass;
  double potential;  ///< of all others, for a unit mass; the example has the number of the particle here
};
static_assert(sizeof(Particle) == 88);

/// In units of the gravitational constant, the total mass and half the edge of the cube of the start.
struct Parameters {
  ElementIndex particles = 0;
  double time_step = 0;
  double softening = 0;
};

/// A cube that turns about z; every particle has a velocity of its own besides.
struct Start {
  Parameters parameters;

  KOKKOS_FUNCTION Particle operator()(ElementIndex i) const {
    const auto around_zero = [i](int which) { return 2 * particles::random(i, which) - 1; };
    Particle p{};
    p.x = around_zero(0);
    p.y = around_zero(1);
    p.z = around_zero(2);
    p.vx = 0.1 * around_zero(3) - 0.5 * p.y;
    p.vy = 0.1 * around_zero(4) + 0.5 * p.x;
    p.vz = 0.1 * around_zero(5);
    p.mass = (0.5 + particles::random(i, 6)) / static_cast<double>(parameters.particles);
    return p;
  }
};

/// The same one time step earlier.
struct StartBefore {
  Parameters parameters;

  KOKKOS_FUNCTION Particle operator()(ElementIndex i) const {
    Particle p = Start{parameters}(i);
    p.x -= parameters.time_step * p.vx;
    p.y -= parameters.time_step * p.vy;
    p.z -= parameters.time_step * p.vz;
    return p;
  }
};

/// One time step by Stoermer's and Verlet's rule, x' = 2 x - before + a dt^2: from all particles and the one
/// that is written, which still is where it was a step before. Pairs for
/// map_pairs_reduce.
struct Move {
  Parameters parameters;

  struct Sum {
    double ax = 0, ay = 0, az = 0, potential = 0;

    KOKKOS_FUNCTION void operator+=(const Sum& other) {
      ax += other.ax;
      ay += other.ay;
      az += other.az;
      potential += other.potential;
    }
  };

  /// Of itself a particle feels nothing, as the distance is zero.
  KOKKOS_FUNCTION void pair(ElementIndex i, const Particle* all, ElementIndex j, Sum& sum) const {
    const double dx = all[j].x - all[i].x, dy = all[j].y - all[i].y, dz = all[j].z - all[i].z;
    const double softening = parameters.softening * parameters.softening;
    const double inverse = 1 / Kokkos::sqrt(dx * dx + dy * dy + dz * dz + softening);
    const double part = all[j].mass * inverse;
    const double weight = part * inverse * inverse;
    sum.ax += weight * dx;
    sum.ay += weight * dy;
    sum.az += weight * dz;
    sum.potential -= part;
  }

  KOKKOS_FUNCTION Particle result(ElementIndex i, const Particle* all, const Sum& sum,
                                  const Particle& before) const {
    const Particle now = all[i];
    Particle next = now;
    const double dt = parameters.time_step;
    next.x = moved(now.x, before.x, sum.ax);
    next.y = moved(now.y, before.y, sum.ay);
    next.z = moved(now.z, before.z, sum.az);
    next.vx = (next.x - before.x) / (2 * dt);
    next.vy = (next.y - before.y) / (2 * dt);
    next.vz = (next.z - before.z) / (2 * dt);
    next.ax = sum.ax;
    next.ay = sum.ay;
    next.az = sum.az;
    next.potential = sum.potential + now.mass / parameters.softening;
    return next;
  }

 private:
  KOKKOS_FUNCTION double moved(double now, double before, double acceleration) const {
    return 2 * now - before + acceleration * (parameters.time_step * parameters.time_step);
  }
};

}  // namespace haloheap::nbody

#endif
