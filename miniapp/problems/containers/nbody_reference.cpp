// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/containers/nbody_reference.hpp>

#include <array>
#include <cmath>

namespace haloheap::nbody {
namespace {

struct Pull {
  std::array<double, 3> acceleration{};
  double potential = 0;
};

using Positions = std::vector<std::array<double, 3>>;

/// As map_pairs_reduce adds up: number j goes to sum j modulo 32, and those are joined by halves.
Pull joined(std::array<Pull, 32>& sums) {
  for (std::size_t half = 16; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        sums[k].acceleration[axis] += sums[k + half].acceleration[axis];
      sums[k].potential += sums[k + half].potential;
    }
  return sums[0];
}

Pull pull_on(ElementIndex i, const Positions& at, const std::vector<double>& masses, double softening) {
  std::array<Pull, 32> sums;
  for (std::size_t j = 0; j < at.size(); ++j) {
    Pull& pull = sums[j % 32];
    std::array<double, 3> away{};
    double square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      away[axis] = at[j][axis] - at[static_cast<std::size_t>(i)][axis];
      square += away[axis] * away[axis];
    }
    const double inverse = 1 / std::sqrt(square + softening * softening);
    const double part = masses[j] * inverse, weight = part * inverse * inverse;
    for (std::size_t axis = 0; axis < 3; ++axis) pull.acceleration[axis] += weight * away[axis];
    pull.potential -= part;
  }
  Pull pull = joined(sums);
  pull.potential += masses[static_cast<std::size_t>(i)] / softening;
  return pull;
}

/// Positions before, now and next take turns.
struct Reference {
  Parameters parameters;
  std::vector<double> masses;
  Positions before, now, next;
  std::vector<Particle> last;

  explicit Reference(const Parameters& of) : parameters(of) {
    for (ElementIndex i = 0; i < of.particles; ++i) {
      const Particle p = Start{of}(i), earlier = StartBefore{of}(i);
      last.push_back(p);
      masses.push_back(p.mass);
      now.push_back({p.x, p.y, p.z});
      before.push_back({earlier.x, earlier.y, earlier.z});
    }
    next.resize(now.size());
  }

  void step() {
    const double dt = parameters.time_step;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const Pull pull = pull_on(static_cast<ElementIndex>(i), now, masses, parameters.softening);
      std::array<double, 3> velocity{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        next[i][axis] = 2 * now[i][axis] - before[i][axis] + pull.acceleration[axis] * (dt * dt);
        velocity[axis] = (next[i][axis] - before[i][axis]) / (2 * dt);
      }
      last[i] = {next[i][0],           next[i][1],  next[i][2],           velocity[0],
                 velocity[1],          velocity[2], pull.acceleration[0], pull.acceleration[1],
                 pull.acceleration[2], masses[i],   pull.potential};
    }
    before.swap(now);
    now.swap(next);
  }
};

}  // namespace

double Totals::momentum_change(const Totals& before) const {
  double square = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double change = momentum[axis] - before.momentum[axis];
    square += change * change;
  }
  return absolute > 0 ? std::sqrt(square) / absolute : 0;
}

Totals totals_of(const Particle* particles, ElementIndex number) {
  Totals totals;
  for (ElementIndex i = 0; i < number; ++i) {
    const Particle& p = particles[i];
    const double square = p.vx * p.vx + p.vy * p.vy + p.vz * p.vz;
    totals.energy += 0.5 * p.mass * (square + p.potential);  // each pair's potential is there twice
    totals.momentum[0] += p.mass * p.vx;
    totals.momentum[1] += p.mass * p.vy;
    totals.momentum[2] += p.mass * p.vz;
    totals.absolute += p.mass * std::sqrt(square);
  }
  return totals;
}

std::vector<Particle> reference(const Parameters& parameters, std::int64_t calls) {
  Reference state(parameters);
  for (std::int64_t call = 0; call < calls; ++call) state.step();
  return state.last;
}

}  // namespace haloheap::nbody
