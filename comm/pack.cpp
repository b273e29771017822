// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/pack.hpp>
#include <haloheap/core/base/error.hpp>

#include <string>
#include <vector>

namespace haloheap {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using RegionView = Kokkos::View<const PackRegion*, Exec, Kokkos::MemoryUnmanaged>;

PackRegion make_region(const Box& box, int quantities, Index first, const Triple& shift = {}) {
  if (box.cells() * quantities >= Index{1} << 32)
    throw UsageError("one side of the halo has 2^32 values or more", "",
                     "use a smaller depth or fewer quantities");
  PackRegion region{};
  for (int dim = 0; dim < 3; ++dim) {
    region.lo[dim] = static_cast<int>(box.lo[dim]);
    region.extent[dim] = static_cast<int>(box.extent(dim));
    region.shift[dim] = static_cast<int>(shift[dim]);
  }
  region.first = first;
  return region;
}

Kokkos::View<PackRegion*, Exec> to_device(const char* label, const std::vector<PackRegion>& regions) {
  // std::string, because a character pointer would be taken for memory to wrap.
  Kokkos::View<PackRegion*, Exec> device(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)),
                                         regions.size());
  Kokkos::deep_copy(device, Kokkos::View<const PackRegion*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
                                regions.data(), regions.size()));
  return device;
}

/// Position in the field of value `i` of the sequence, and of the cell that it wraps around from.
struct Place {
  Index at, wrapped;
};

KOKKOS_FUNCTION Place locate(const RegionView& regions, const FieldLayout& layout, Index i) {
  int low = 0, high = static_cast<int>(regions.extent(0)) - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (regions(middle).first <= i)
      low = middle;
    else
      high = middle - 1;
  }
  const PackRegion& region = regions(low);
  // 32-bit divisions: the 64-bit ones cost more than the memory traffic. make_region sees to it that a region
  // has fewer than 2^32 values.
  const auto nx = static_cast<unsigned>(region.extent[0]), ny = static_cast<unsigned>(region.extent[1]);
  const unsigned rows = ny * static_cast<unsigned>(region.extent[2]);
  const auto local = static_cast<unsigned>(i - region.first);
  const unsigned all_rows = local / nx, quantity = all_rows / rows, row = all_rows - quantity * rows,
                 z = row / ny;
  const Triple place{region.lo[0] + static_cast<Index>(local - all_rows * nx),
                     region.lo[1] + static_cast<Index>(row - z * ny), region.lo[2] + static_cast<Index>(z)};
  const Triple from{place.x + region.shift[0], place.y + region.shift[1], place.z + region.shift[2]};
  return {layout.at(place, static_cast<int>(quantity)), layout.at(from, static_cast<int>(quantity))};
}

template <class T>
struct Pack {
  RegionView regions;
  FieldLayout layout;
  const T* field;
  T* buffer;

  KOKKOS_FUNCTION void operator()(Index i) const { buffer[i] = field[locate(regions, layout, i).at]; }
};

template <class T>
struct Unpack {
  RegionView regions;
  FieldLayout layout;
  Index received;
  const T* buffer;
  T* field;

  KOKKOS_FUNCTION void operator()(Index i) const {
    const Place place = locate(regions, layout, i);
    field[place.at] = i < received ? buffer[i] : field[place.wrapped];
  }
};

}  // namespace

template <class T>
Packer<T>::Packer(const HaloRound& round, const FieldLayout& layout) : layout_(layout) {
  std::vector<PackRegion> send, receive;
  for (const HaloMessage& message : round.messages) {
    for (const Box& box : message.send) {
      send.push_back(make_region(box, layout.quantities, send_values_));
      send_values_ += box.cells() * layout.quantities;
    }
    for (const Box& box : message.receive) {
      receive.push_back(make_region(box, layout.quantities, receive_values_));
      receive_values_ += box.cells() * layout.quantities;
    }
  }
  for (const HaloCopy& copy : round.copies) {
    const Triple shift{copy.from.lo.x - copy.to.lo.x, copy.from.lo.y - copy.to.lo.y,
                       copy.from.lo.z - copy.to.lo.z};
    receive.push_back(make_region(copy.to, layout.quantities, receive_values_ + copy_values_, shift));
    copy_values_ += copy.to.cells() * layout.quantities;
  }
  send_ = to_device("haloheap::comm::send_regions", send);
  receive_ = to_device("haloheap::comm::receive_regions", receive);
}

template <class T>
void Packer<T>::pack(const Exec& exec, const T* field, T* buffer) const {
  if (send_values_ == 0) return;
  Kokkos::parallel_for("haloheap::comm::pack",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<Index>>(exec, 0, send_values_),
                       Pack<T>{send_, layout_, field, buffer});
}

template <class T>
void Packer<T>::unpack(const Exec& exec, const T* buffer, T* field) const {
  const Index values = receive_values_ + copy_values_;
  if (values == 0) return;
  Kokkos::parallel_for("haloheap::comm::unpack",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<Index>>(exec, 0, values),
                       Unpack<T>{receive_, layout_, receive_values_, buffer, field});
}

template class Packer<float>;
template class Packer<double>;

}  // namespace haloheap
