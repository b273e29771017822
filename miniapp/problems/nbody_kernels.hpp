// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_NBODY_KERNELS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_NBODY_KERNELS_HPP

#include <haloheap/miniapp/problems/particles.hpp>

namespace haloheap::nbody {

using coherence::Index;

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
  Index particles = 0;
  double time_step = 0;
  double softening = 0;
};

/// A cube that turns about z; every particle has a velocity of its own besides.
struct Start {
  Parameters parameters;

  KOKKOS_FUNCTION Particle operator()(Index i) const {
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

  KOKKOS_FUNCTION Particle operator()(Index i) const {
    Particle p = Start{parameters}(i);
    p.x -= parameters.time_step * p.vx;
    p.y -= parameters.time_step * p.vy;
    p.z -= parameters.time_step * p.vz;
    return p;
  }
};

/// One time step by Stoermer's and Verlet's rule, x' = 2 x - before + a dt^2: from all particles and the one
/// that is written, which still is where it was a step before. Sums go by the number of the particle, so that
/// they have the same bits wherever they are computed.
struct Move {
  Parameters parameters;

  KOKKOS_FUNCTION Particle operator()(Index i, const Particle* all, const Particle& before) const {
    const Particle now = all[i];
    Particle next = pulled(now, all);
    const double dt = parameters.time_step;
    next.x = moved(now.x, before.x, next.ax);
    next.y = moved(now.y, before.y, next.ay);
    next.z = moved(now.z, before.z, next.az);
    next.vx = (next.x - before.x) / (2 * dt);
    next.vy = (next.y - before.y) / (2 * dt);
    next.vz = (next.z - before.z) / (2 * dt);
    return next;
  }

  /// With its acceleration and potential. Of itself a particle feels nothing, as the distance is zero.
  KOKKOS_FUNCTION Particle pulled(Particle p, const Particle* all) const {
    const double softening = parameters.softening * parameters.softening;
    double ax = 0, ay = 0, az = 0, potential = 0;
    for (Index j = 0; j < parameters.particles; ++j) {
      const double dx = all[j].x - p.x, dy = all[j].y - p.y, dz = all[j].z - p.z;
      const double inverse = 1 / Kokkos::sqrt(dx * dx + dy * dy + dz * dz + softening);
      const double part = all[j].mass * inverse;
      const double weight = part * inverse * inverse;
      ax += weight * dx;
      ay += weight * dy;
      az += weight * dz;
      potential -= part;
    }
    p.ax = ax;
    p.ay = ay;
    p.az = az;
    p.potential = potential + p.mass / parameters.softening;
    return p;
  }

 private:
  KOKKOS_FUNCTION double moved(double now, double before, double acceleration) const {
    return 2 * now - before + acceleration * (parameters.time_step * parameters.time_step);
  }
};

}  // namespace haloheap::nbody

#endif
