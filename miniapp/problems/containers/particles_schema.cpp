// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/containers/particles_schema.hpp>

namespace haloheap {

void add_particle_keys(deck::Section& section, const ParticleKeys& keys) {
  section.integer("particles", 4096).range(1, 1 << 24).unit("particles").help(keys.particles_help);
  section.integer("steps", keys.steps).range(1, 1 << 24).unit("steps").help(keys.steps_help);
  section.choice("start", ParticleStart::devices).help("Who writes the particles that a run begins with");
}

}  // namespace haloheap
