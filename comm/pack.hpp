// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PACK_HPP
#define HALOHEAP_COMM_PACK_HPP

#include <haloheap/comm/halo_plan.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap {

/// One box inside a flat sequence of values: all its quantities, each row by row.
struct PackRegion {
  int lo[3], extent[3];
  Index first;   ///< number of the region's first value in the sequence
  int shift[3];  ///< for periodic wraps onto this rank: where the values come from, relative to the cell
};

/// Packs and unpacks all messages of one round with one kernel each, whatever the number of regions and
/// quantities. The packed sequence is message by message, box by box, quantity by quantity; copies onto the
/// rank itself follow after all received values, and never leave the field.
template <class T>
class Packer {
 public:
  using Exec = Kokkos::DefaultExecutionSpace;

  Packer(const HaloRound& round, const FieldLayout& layout);

  /// buffer = border cells of `field`
  void pack(const Exec& exec, const T* field, T* buffer) const;
  /// ghost cells of `field` = buffer, or own cells on the other side
  void unpack(const Exec& exec, const T* buffer, T* field) const;

 private:
  using Regions = Kokkos::View<PackRegion*, Exec>;

  FieldLayout layout_;
  Regions send_, receive_;
  Index send_values_ = 0, receive_values_ = 0, copy_values_ = 0;
};

extern template class Packer<float>;
extern template class Packer<double>;

}  // namespace haloheap

#endif
