// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/sph_schema.hpp>

namespace haloheap {

void add_sph_keys(deck::Schema& schema, const SchemaChoices& /*choices*/) {
  deck::Section& sph = schema.section("sph", "Problem sph: a block of water falls in a box");
  sph.integer("particles", 4096).range(1, 1 << 24).unit("particles").help("Of 104 bytes each");
  sph.integer("steps", 20)
      .range(1, 1 << 24)
      .unit("steps")
      .help("Of three calls each: density, force, position");
  sph.text("start", "devices")
      .choices({"devices", "host"})
      .help("Who writes the particles that a run begins with");
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
