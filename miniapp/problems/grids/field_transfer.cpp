// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/miniapp/problems/grids/field_transfer.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap {
namespace {

using transfer::Chunk;
using transfer::DeviceRows;
using transfer::Intent;
using transfer::Pipeline;

/// Where a row of what is copied lies in the field: they are counted in y, then z, then quantity.
struct Row {
  grid::Index y, z;
  int quantity;

  KOKKOS_FUNCTION Row(const grid::FieldLayout& layout, grid::Index number)
      : y(number % layout.own.y),
        z(number / layout.own.y % layout.own.z),
        quantity(static_cast<int>(number / layout.own.y / layout.own.z)) {}

  KOKKOS_FUNCTION grid::Index start(const grid::FieldLayout& layout) const {
    return layout.at({0, y, z}, quantity);
  }
};

/// What one thread copies: a row on the host, a cell on a device.
struct Item {
  grid::Index row, begin, end;  // of the row's cells

  KOKKOS_FUNCTION Item(grid::Index number, grid::Index width)
      : row(whole_rows ? number : number / width),
        begin(whole_rows ? 0 : number - row * width),
        end(whole_rows ? width : begin + 1) {}

  static constexpr bool whole_rows = backend::kernels_on_host;
};

template <class T>
struct RowsToField {
  DeviceRows<T> rows;
  T* field;
  grid::FieldLayout layout;

  KOKKOS_FUNCTION void operator()(grid::Index number) const {
    const Item item(number, layout.own.x);
    const T* const from = rows(static_cast<std::size_t>(item.row));
    T* const to = field + Row(layout, item.row).start(layout);
    for (grid::Index x = item.begin; x < item.end; ++x) to[x] = from[x];
  }
};

template <class T>
struct FieldToRows {
  DeviceRows<T> rows;
  const T* field;
  grid::FieldLayout layout;

  KOKKOS_FUNCTION void operator()(grid::Index number) const {
    const Item item(number, layout.own.x);
    const T* const from = field + Row(layout, item.row).start(layout);
    T* const to = rows(static_cast<std::size_t>(item.row));
    for (grid::Index x = item.begin; x < item.end; ++x) to[x] = from[x];
  }
};

/// Enqueues a kernel for the rows of a chunk.
template <class Kernel>
void for_rows(const backend::Exec& exec, const Chunk& chunk, const Kernel& kernel) {
  const grid::Index items = Item::whole_rows ? 1 : kernel.layout.own.x;  // of a row
  Kokkos::parallel_for(
      "haloheap::field_transfer",
      Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<grid::Index>>(
          exec, static_cast<grid::Index>(chunk.begin) * items, static_cast<grid::Index>(chunk.end) * items),
      kernel);
}

template <class T>
void make_row(const CellValues<T>& start, const grid::Box& own, const Row& row, T* values) {
  for (grid::Index x = own.lo.x; x < own.hi.x; ++x)
    values[x - own.lo.x] = start(row.quantity, {x, own.lo.y + row.y, own.lo.z + row.z});
}

}  // namespace

template <class T>
std::size_t FieldTransfer<T>::rows() const {
  return static_cast<std::size_t>(layout_.own.y * layout_.own.z * layout_.quantities);
}

template <class T>
double FieldTransfer<T>::to_device(const CellValues<T>& start, const grid::Box& own, T* field) const {
  Pipeline pipeline(transfer::make_device_streams(choice_.streams),
                    transfer::make_mode(choice_.mode, resources_), choice_.schedule, rows());
  const auto going =
      pipeline.operand<T>("haloheap::grids::h2d", Intent::in, static_cast<std::size_t>(layout_.own.x));
  for (std::size_t row = 0; row < rows(); ++row)
    make_row(start, own, Row(layout_, static_cast<grid::Index>(row)), going.host(row));
  pipeline.set_kernel([=, layout = layout_](const backend::Exec& exec, const Chunk& chunk) {
    for_rows(exec, chunk, RowsToField<T>{going.device(), field, layout});
  });
  return pipeline.run();
}

template <class T>
double FieldTransfer<T>::to_host(const T* field, std::vector<T>* cells) const {
  const auto width = static_cast<std::size_t>(layout_.own.x);
  Pipeline pipeline(transfer::make_device_streams(choice_.streams),
                    transfer::make_mode(choice_.mode, resources_), choice_.schedule, rows());
  const auto coming = pipeline.operand<T>("haloheap::grids::d2h", Intent::out, width);
  pipeline.set_kernel([=, layout = layout_](const backend::Exec& exec, const Chunk& chunk) {
    for_rows(exec, chunk, FieldToRows<T>{coming.device(), field, layout});
  });
  const double seconds = pipeline.run();
  if (cells == nullptr) return seconds;
  cells->clear();
  cells->reserve(rows() * width);
  for (std::size_t row = 0; row < rows(); ++row)
    cells->insert(cells->end(), coming.host(row), coming.host(row) + width);
  return seconds;
}

#define HALOHEAP_INSTANTIATE(T) template class FieldTransfer<T>;
HALOHEAP_GRID_VALUES(HALOHEAP_INSTANTIATE)
#undef HALOHEAP_INSTANTIATE

std::vector<MemoryDemand> transfer_demands(const TransferChoice& choice, std::size_t bytes) {
  if (!choice.any()) return {};
  const transfer::ModeEntry& mode = transfer::modes().at(choice.mode);
  std::vector<MemoryDemand> demands{{mode.memory, bytes}};
  if (mode.movement == transfer::Movement::copies) demands.push_back({"device", bytes});
  return demands;
}

}  // namespace haloheap
