// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_OPERAND_HPP
#define HALOHEAP_CORE_TRANSFER_OPERAND_HPP

#include <haloheap/core/transfer/mode.hpp>

#include <Kokkos_Macros.hpp>

#include <type_traits>

namespace haloheap::transfer {

/// Rows of an operand as kernels use them. Copied into kernels.
template <class T>
class DeviceRows {
 public:
  DeviceRows(std::byte* data, std::size_t pitch) : data_(data), pitch_(pitch) {}
  /// The first element of a row.
  KOKKOS_FUNCTION T* operator()(std::size_t row) const { return reinterpret_cast<T*>(data_ + row * pitch_); }

 private:
  std::byte* data_;
  std::size_t pitch_;  // bytes
};

/// One array of a pipeline, which it stays a part of: rows of `width()` elements. Copied freely.
template <class T>
class Operand {
 public:
  Operand(const OperandMemory& place, std::size_t rows, std::size_t width, std::size_t pitch)
      : place_(&place), rows_(rows), width_(width), pitch_(pitch) {}

  std::size_t rows() const { return rows_; }
  std::size_t width() const { return width_; }
  /// The first element of a row, for the host while no run goes on.
  T* host(std::size_t row) const { return reinterpret_cast<T*>(place_->host) + row * pitch_; }
  /// For kernels of the run that goes on; to be asked for anew by each.
  DeviceRows<T> device() const { return {place_->device, place_->device_pitch}; }

 private:
  const OperandMemory* place_;
  std::size_t rows_, width_, pitch_;  // elements
};

}  // namespace haloheap::transfer

#endif
