// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_GRIDS_FIELD_TRANSFER_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_GRIDS_FIELD_TRANSFER_HPP

#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/miniapp/problems/grids/grid_model.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_settings.hpp>
#include <haloheap/miniapp/run_memory.hpp>

#include <vector>

namespace haloheap {

/// The way of a field's own cells between host and device, by the transfer mode of a deck. They travel in
/// chunks of rows; the field stays where it is, with its pitch and its ghost cells.
template <class T>
class FieldTransfer {
 public:
  /// @param resources for what travels, which is taken at the start of each way and given back at its end
  FieldTransfer(const TransferChoice& choice, transfer::ResourceMaker resources,
                const grid::FieldLayout& layout)
      : choice_(choice), resources_(std::move(resources)), layout_(layout) {}

  /// Makes the start values on the host and takes them up to the own cells of a device field.
  /// @param own this rank's part of the grid, in global coordinates
  /// @returns seconds of the way, see Pipeline::run
  /// @throws OutOfMemory; CapabilityError as make_mode
  double to_device(const CellValues<T>& start, const grid::Box& own, T* field) const;

  /// Takes the own cells of a device field down to the host.
  /// @param cells is what is on the host then: quantity by quantity, x fastest. Null: nobody wants it
  /// @returns seconds of the way. @throws as up
  double to_host(const T* field, std::vector<T>* cells) const;

 private:
  std::size_t rows() const;

  TransferChoice choice_;
  transfer::ResourceMaker resources_;
  grid::FieldLayout layout_;
};

/// What the way of so many bytes takes of the machine; nothing if no mode is chosen.
std::vector<MemoryDemand> transfer_demands(const TransferChoice& choice, std::size_t bytes);

}  // namespace haloheap

#endif
