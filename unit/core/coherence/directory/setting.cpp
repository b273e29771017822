// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/coherence/directory/setting.hpp>

#include <fmt/format.h>

namespace haloheap::coherence::test {
namespace {

bool reaches(Peers peers, int from, int to, int devices) {
  switch (peers) {
    case Peers::all:
      return true;
    case Peers::one_way:
      return from < to;
    case Peers::ring:
      return to == (from + 1) % devices;
    case Peers::none:
      break;
  }
  return false;
}

const char* name(Peers peers) {
  constexpr const char* names[] = {"none", "all", "one_way", "ring"};
  return names[static_cast<int>(peers)];
}

}  // namespace

MemoryTopology topology_of(const Setting& setting) {
  MemoryTopology topology(setting.devices, false, setting.capacity);
  topology.host_grain = setting.host_grain;
  topology.max_pieces = setting.max_pieces;
  for (int from = 0; from < setting.devices; ++from)
    for (int to = 0; to < setting.devices; ++to)
      if (from != to)
        topology.link(device(from), device(to)).direct = reaches(setting.peers, from, to, setting.devices);
  return topology;
}

std::string to_code(const Setting& s) {
  const std::string capacity = s.capacity == unlimited ? "unlimited" : fmt::format("{}", s.capacity);
  return fmt::format(
      "World world({{.policy = \"{}\", .peers = Peers::{}, .devices = {}, .rows = {}, .columns = {}, "
      ".objects = {}, .capacity = {}, .deferred = {}, .seed = {}{}{}}});\n",
      s.policy, name(s.peers), s.devices, s.rows, s.columns, s.objects, capacity, s.deferred, s.seed,
      s.host_grain == 0 ? "" : fmt::format(", .host_grain = {}", s.host_grain),
      s.max_pieces == 0 ? "" : fmt::format(", .max_pieces = {}", s.max_pieces));
}

}  // namespace haloheap::coherence::test
