// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Particles that come and go in a vector, and a matrix of what each does to each.
#include <haloheap/core/coherence/skeletons.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>

using namespace haloheap::coherence;

struct Particle {
  double x, mass;
};

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  Context context;  // all devices of this process; the host if there is none
  Vector<Particle> particles(context, "particles", 0);
  for (int i = 0; i < 6; ++i) particles.push_back({1.0 * i, 1});
  particles[3].mass = 5;  // a member, on the host
  particles.erase(particles.begin());
  particles.insert(particles.end(), {{10, 2}, {11, 2}});

  // All but the first move, on the devices; the host is not asked.
  map(
      all_devices, "move", particles.begin() + 1,
      KOKKOS_LAMBDA(const Particle& p) {
        return Particle{p.x + 1, p.mass};
      },
      slice(particles.begin() + 1, particles.end()));

  Matrix<double> force(context, "force", particles.size(), particles.size());
  map_pairs(
      all_devices, "force", force,
      KOKKOS_LAMBDA(const Particle& a, const Particle& b) {
        const double distance = b.x - a.x;
        return distance == 0 ? 0 : a.mass * b.mass / (distance * (distance < 0 ? -distance : distance));
      },
      particles, particles);
  const double sum = reduce(all_devices, "sum", Sum<double>{}, force);
  std::printf("%d particles, a force of %.3f between the first two, of %.3f in all\n",
              static_cast<int>(particles.size()), static_cast<double>(force(0, 1)), sum);
  // Each force has an opposite one.
  return particles.size() == 7 && particles[2].mass == 5 && sum > -1e-12 && sum < 1e-12 ? 0 : 1;
}
