// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_PARTICLES_SCHEMA_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_PARTICLES_SCHEMA_HPP

#include <haloheap/core/base/names.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <cstdint>
#include <string>

namespace haloheap {

/// Who writes the particles that a run begins with (deck: nbody.start, sph.start).
enum class ParticleStart { devices, host };

template <>
inline constexpr auto names_of<ParticleStart> =
    name_table<ParticleStart>("start", {{ParticleStart::devices, "devices"}, {ParticleStart::host, "host"}});

/// In what the sections of problems on particles differ, of the keys that they share.
struct ParticleKeys {
  std::string particles_help;
  std::int64_t steps = 1;  ///< by default
  std::string steps_help;
};

/// Adds the keys particles, steps and start.
void add_particle_keys(deck::Section& section, const ParticleKeys& keys);

}  // namespace haloheap

#endif
