// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/containers/nbody_schema.hpp>
#include <haloheap/miniapp/problems/containers/particles_schema.hpp>

namespace haloheap {

void add_nbody_keys(deck::Schema& schema, const SchemaChoices& /*choices*/) {
  deck::Section& nbody = schema.section("nbody", "Problem nbody: particles that attract each other");
  add_particle_keys(
      nbody,
      {"Of 88 bytes each", 10,
       "Of two calls each, as each vector is written by one; a call takes all particles one time step on"});
  nbody.real("time_step", 1e-3)
      .range(1e-9, 1)
      .help(
          "Of a call, where the gravitational constant and the total mass are 1, and so is half the cube's "
          "edge");
  nbody.real("softening", 0.05)
      .range(1e-6, 10)
      .help("Distance within which the attraction of two gets weaker");
}

}  // namespace haloheap
