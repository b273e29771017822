// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_KERNELS_PACKED_ROUND_HPP
#define HALOHEAP_COMM_KERNELS_PACKED_ROUND_HPP

#include <haloheap/comm/halo_plan.hpp>
#include <haloheap/comm/kernels/field_shape.hpp>

#include <vector>

namespace haloheap::comm::detail {

/// Where cells stand in a buffer: as part of a box that is packed from a byte on.
struct PackedPlace {
  grid::Index first = 0;
  grid::Box box = {};
};

/// Values of a message that lie in no row: where the first is, and how many there are, how far apart, in each
/// dimension, the fastest first. In bytes.
struct TypedBox {
  grid::Index first = 0, element = 0;
  std::array<grid::Index, 4> count{}, stride{};
};

/// One of the two buffers of a round: whole strips of the border, which messages are parts of.
class PackedStrips {
 public:
  /// @param candidates the first that holds a box is its strip; those that hold none are left out
  /// @param shapes outlive this
  PackedStrips(const std::vector<grid::Box>& candidates, const std::vector<grid::Box>& boxes,
               const std::vector<FieldShape>& shapes);

  const std::vector<grid::Box>& strips() const { return strips_; }
  grid::Index bytes() const { return packed_.bytes; }
  PackedPlace strip(std::size_t field, std::size_t strip) const {
    return {packed_.first[field][strip], strips_[strip]};
  }
  /// Where cells of a box of a message are.
  PackedPlace place(std::size_t field, const grid::Box& box) const;
  /// All of a message, field by field and box by box, in the order in which both sides have it.
  std::vector<TypedBox> typed(const std::vector<grid::Box>& boxes) const;

 private:
  const std::vector<FieldShape>* shapes_;
  std::vector<grid::Box> strips_;
  PackedMessage packed_;
};

/// Both of a round.
struct RoundStrips {
  PackedStrips send, receive;
};

/// A message as MPI is to see it.
struct TypedMessage {
  std::vector<TypedBox> send, receive;
};

/// A round whose messages are no rows of bytes, and the size of its buffers.
struct TypedRound {
  std::size_t send_bytes = 0, receive_bytes = 0;
  std::vector<TypedMessage> messages;

  TypedRound(const HaloRound& round, const RoundStrips& strips);
};

/// The strips of each round of a plan. In rounds a message is a strip, as it carries the corners along; all
/// at once, corners are parts of the strips along the sides ([Valen2023], sections 3.1.6 and 3.3.1).
/// @param filled own cells and the ghost cells that come from a neighbour
std::vector<RoundStrips> strips_of(const HaloPlan& plan, const HaloBounds& bounds, const grid::Box& filled,
                                   const std::vector<FieldShape>& shapes);

}  // namespace haloheap::comm::detail

#endif
