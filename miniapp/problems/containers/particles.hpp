// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_PARTICLES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_PARTICLES_HPP

#include <haloheap/core/base/names.hpp>
#include <haloheap/core/base/splitmix64.hpp>
#include <haloheap/core/coherence/vector.hpp>
#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace haloheap {

/// Who writes the particles that a run begins with (deck: nbody.start, sph.start).
enum class ParticleStart { devices, host };

constexpr auto names_of(ParticleStart) {
  return name_table<ParticleStart>("start",
                                   {{ParticleStart::devices, "devices"}, {ParticleStart::host, "host"}});
}

/// In what the sections of problems on particles differ, of the keys that they share.
struct ParticleKeys {
  std::string particles_help;
  std::int64_t steps = 1;  ///< by default
  std::string steps_help;
};

/// Adds the keys particles, steps, start and graph.
void add_particle_keys(deck::Section& section, const ParticleKeys& keys);

}  // namespace haloheap

/// What problems nbody and sph share.
namespace haloheap::particles {

using coherence::ElementIndex;

/// At least 0 and below 1, number `which` (0 to 7) of particle i: the same bits on the host and on devices.
KOKKOS_INLINE_FUNCTION double random(ElementIndex i, int which) {
  const auto number = static_cast<std::uint64_t>(i) * 8 + static_cast<std::uint64_t>(which);
  return static_cast<double>(base::splitmix64(number * 0x9e3779b97f4a7c15ULL) >> 11) * 0x1p-53;
}

/// Room for the whole vector on every device: without it each part would first have a copy of its own.
template <class T>
void reserve_whole(coherence::Vector<T>& vector) {
  const coherence::Context& context = vector.context();
  for (int device = 0; device < context.devices(); ++device) vector.reserve(coherence::on_device(device));
}

/// Elements f(i), by the host.
template <class T, class F>
void fill_on_host(coherence::Vector<T>& vector, const F& f) {
  const auto elements = vector.write();
  for (ElementIndex i = 0; i < vector.size(); ++i) elements[i] = f(i);
}

/// Up to 64 of `size` particles, the first and the last among them.
std::vector<ElementIndex> samples(ElementIndex size);

/// Writes FOLDER/POINT_particles.csv, columns x, y, z and `value`, if the deck's output.fields asks for it.
/// @throws IoError
void write_csv(const RunContext& context, const std::string& value,
               const std::vector<std::array<double, 4>>& rows);

}  // namespace haloheap::particles

#endif
