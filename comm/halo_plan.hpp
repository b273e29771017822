// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_PLAN_HPP
#define HALOHEAP_COMM_HALO_PLAN_HPP

#include <haloheap/comm/exchange.hpp>
#include <haloheap/comm/halo_problem.hpp>
#include <haloheap/comm/topology.hpp>
#include <haloheap/core/grid/field_layout.hpp>

#include <optional>
#include <vector>

namespace haloheap::comm {

/// The cells of a rank's subdomain and the ghost cells around them. Cell (0, 0, 0) is the first own cell;
/// ghost cells have coordinates below 0 and from `own` on.
struct HaloBounds {
  int dims = 2;
  grid::Triple own;
  /// Ghost cells on the low and on the high side of each dimension, 0 in those that the grid does not have.
  grid::Triple low = {}, high = {};

  static HaloBounds of(const grid::FieldLayout& layout) {
    return {layout.dims, layout.own, layout.halo, layout.halo};
  }
  grid::Box own_box() const { return {{0, 0, 0}, own}; }
  /// Own cells and all ghost cells.
  grid::Box whole() const {
    return {{-low.x, -low.y, -low.z}, {own.x + high.x, own.y + high.y, own.z + high.z}};
  }
};

/// What this rank and one peer exchange in one round, or a part of it: their n-th message on one side is
/// their n-th on the other. The n-th box that one side sends is the n-th that the other side receives, also
/// when the peer is a neighbour in several directions.
struct HaloMessage {
  int peer = 0;
  std::vector<grid::Box> send;     ///< own cells
  std::vector<grid::Box> receive;  ///< ghost cells

  grid::Index send_cells() const;
  grid::Index receive_cells() const;
};

/// A periodic wrap onto this rank itself: no message.
struct HaloCopy {
  grid::Box from, to;
};

struct HaloRound {
  std::vector<HaloMessage> messages;
  std::vector<HaloCopy> copies;
};

/// Why a halo of so many cells in each dimension cannot be exchanged on this rank grid, or nothing if it can:
/// a rank must not need cells of its neighbour's neighbour.
std::optional<HaloProblem> halo_width_problem(const grid::Triple& ranks, const bool (&periodic)[3], int dims,
                                              const grid::Triple& halo, const grid::Triple& cells);

/// Who sends what to whom, in which order; pure geometry. Boxes are in local coordinates.
struct HaloPlan {
  Exchange exchange = Exchange::sync;
  MessagesPer messages_per = MessagesPer::neighbour;
  std::vector<HaloRound> rounds;

  /// @throws UsageError if the halo is wider than the smallest subdomain in a dimension in which it is
  /// exchanged
  static HaloPlan make(const Topology& topology, const HaloBounds& bounds, const grid::Triple& cells,
                       Exchange exchange, MessagesPer messages_per = MessagesPer::neighbour);
  static HaloPlan make(const Topology& topology, const grid::FieldLayout& layout, const grid::Triple& cells,
                       Exchange exchange, MessagesPer messages_per = MessagesPer::neighbour) {
    return make(topology, HaloBounds::of(layout), cells, exchange, messages_per);
  }

  /// What was received is sent and what was sent is received, in rounds that have the numbers of these. To be
  /// gone through from the last round to the first.
  HaloPlan reversed() const;

  int messages() const;
  /// Values that this rank sends in one exchange, for one quantity.
  grid::Index send_cells() const;
};

}  // namespace haloheap::comm

#endif
