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

/// Copies a field's own cells host-to-device and device-to-host, by the transfer mode of a deck, in chunks of
/// rows; the field stays where it is, with its pitch and its ghost cells.
template <class T>
class FieldTransfer {
 public:
  /// @param resources for what is copied, taken at the start of each transfer and given back at its end
  FieldTransfer(const TransferChoice& choice, transfer::ResourceMaker resources,
                const grid::FieldLayout& layout)
      : choice_(choice), resources_(std::move(resources)), layout_(layout) {}

  /// Makes the start values on the host and copies them to the own cells of a device field.
  /// @param own this rank's part of the grid, in global coordinates
  /// @returns seconds of the transfer, see Pipeline::run
  /// @throws OutOfMemory; CapabilityError as make_mode
  double to_device(const CellValues<T>& start, const grid::Box& own, T* field) const;

  /// Copies the own cells of a device field to the host.
  /// @param cells is what is on the host then: quantity by quantity, x fastest. Null: nobody wants it
  /// @returns seconds of the transfer. @throws as to_device
  double to_host(const T* field, std::vector<T>* cells) const;

 private:
  std::size_t rows() const;

  TransferChoice choice_;
  transfer::ResourceMaker resources_;
  grid::FieldLayout layout_;
};

/// What a transfer of so many bytes takes of the machine; nothing if no mode is chosen.
std::vector<MemoryDemand> transfer_demands(const TransferChoice& choice, std::size_t bytes);

}  // namespace haloheap

#endif
