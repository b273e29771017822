// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/containers/particles_schema.hpp>
#include <haloheap/miniapp/problems/containers/sph_schema.hpp>

namespace haloheap {

void add_sph_keys(deck::Schema& schema, const SchemaChoices& /*choices*/) {
  deck::Section& sph = schema.section("sph", "Problem sph: a block of water falls in a box");
  add_particle_keys(sph, {"Of 104 bytes each", 20, "Of three calls each: density, force, position"});
  sph.real("time_step", 1e-3)
      .range(1e-9, 1)
      .unit("s")
      .help("Sound goes at 7 m/s and must not skip a particle");
  sph.real("spacing", 0.02)
      .range(1e-4, 1)
      .unit("m")
      .help("From one particle to the next at the start; they act on each other up to twice as far");
}

}  // namespace haloheap
