// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_GRID_TERMS_HPP
#define HALOHEAP_COMM_HALO_GRID_TERMS_HPP

#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/topology.hpp>

#include <string>

namespace haloheap::comm::detail {

inline std::string extent_text(const grid::Triple& extent) {
  return std::to_string(extent.x) + " x " + std::to_string(extent.y) + " x " + std::to_string(extent.z);
}

/// What all ranks must agree on, whatever they make on a rank grid.
inline Terms::Item rank_grid_term(const Topology& topology) {
  return {"rank grid", extent_text(topology.ranks)};
}

}  // namespace haloheap::comm::detail

#endif
