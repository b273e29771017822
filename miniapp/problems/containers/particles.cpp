// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/containers/particles.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace haloheap {

void add_particle_keys(deck::Section& section, const ParticleKeys& keys) {
  section.integer("particles", 4096).range(1, 1 << 24).unit("particles").help(keys.particles_help);
  section.integer("steps", keys.steps).range(1, 1 << 24).unit("steps").help(keys.steps_help);
  section.choice("start", ParticleStart::devices).help("Who writes the particles that a run begins with");
  section.boolean("graph", false)
      .help(
          "As soon as the calls of a step find all particles where they need them, they are launched as one "
          "graph");
}

}  // namespace haloheap

namespace haloheap::particles {

std::vector<ElementIndex> samples(ElementIndex size) {
  const ElementIndex number = std::min<ElementIndex>(size, 64);
  std::vector<ElementIndex> chosen;
  for (ElementIndex k = 0; k < number; ++k) chosen.push_back(number > 1 ? (size - 1) * k / (number - 1) : 0);
  return chosen;
}

void write_csv(const RunContext& context, const std::string& value,
               const std::vector<std::array<double, 4>>& rows) {
  if (!context.deck.get<bool>("output.fields")) return;
  const auto path = context.folder / (context.point_name + "_particles.csv");
  std::ofstream file(path);
  file << "x,y,z," << value << '\n';
  for (const auto& [x, y, z, color] : rows) file << fmt::format("{},{},{},{}\n", x, y, z, color);
  file.close();
  if (!file)
    throw IoError("cannot write " + path.string(), "the particles are lost", "is there room on the disk?");
}

}  // namespace haloheap::particles
