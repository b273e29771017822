// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/launch.hpp>
#include <haloheap/backend/pragma.hpp>
#include <haloheap/comm/solvers/dense_inverse.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>

#include <Kokkos_Core.hpp>

#include <vector>

namespace haloheap::comm::detail {

/// An unknown. Its sum has parts, whose ways from memory overlap, in an order that no backend changes.
template <class T>
struct MultiplyRow {
  static constexpr int parts = 32;
  const double* rows;
  const grid::Index* places;
  int count;
  const T* b;
  T* x;

  KOKKOS_FUNCTION void operator()(int row) const {
    double sums[parts] = {};
    HALOHEAP_KEEP_LOOP
    for (int first = 0; first < count; first += parts) {
      HALOHEAP_UNROLL
      for (int part = 0; part < parts; ++part) {
        const int column = first + part;
        if (column < count) sums[part] += at(row, column) * static_cast<double>(b[places[column]]);
      }
    }
    fold<parts / 2>(sums);
    x[places[row]] = static_cast<T>(sums[0]);
  }

  template <int Width>
  KOKKOS_FORCEINLINE_FUNCTION static void fold(double (&sums)[parts]) {
    HALOHEAP_UNROLL
    for (int part = 0; part < Width; ++part) sums[part] += sums[part + Width];
    if constexpr (Width > 1) fold<Width / 2>(sums);
  }
  /// The matrix is symmetric: neighbouring threads of a device read side by side, a thread of a host its row.
  KOKKOS_FORCEINLINE_FUNCTION double at(int row, int column) const {
    return rows[backend::kernels_on_host ? grid::Index{row} * count + column
                                         : grid::Index{column} * count + row];
  }
};

template <class T>
DenseInverse<T>::DenseInverse(const Exec& exec, const std::shared_ptr<memory::MemoryResource>& memory,
                              const DenseFactors& factors, const grid::FieldLayout& layout)
    : rows_(memory, "haloheap::comm::dense_inverse", factors.size() * factors.size()),
      places_(memory, "haloheap::comm::dense_places", factors.size()) {
  const std::vector<double> rows = factors.inverse();
  std::vector<grid::Index> places;
  for (grid::Index z = 0; z < layout.own.z; ++z)
    for (grid::Index y = 0; y < layout.own.y; ++y)
      for (grid::Index x = 0; x < layout.own.x; ++x) places.push_back(layout.at({x, y, z}));
  backend::copy(exec, rows_.data(), rows.data(), rows.size() * sizeof(double));
  backend::copy(exec, places_.data(), places.data(), places.size() * sizeof(grid::Index));
}

template <class T>
void DenseInverse<T>::apply(const Exec& exec, const T* b, T* x) const {
  const auto count = static_cast<int>(places_.size());
  backend::parallel_for("haloheap::comm::multiply_row",
                        backend::as_kernel_argument(Kokkos::RangePolicy<Exec>(exec, 0, count)),
                        MultiplyRow<T>{rows_.data(), places_.data(), count, b, x});
}

template class DenseInverse<float>;
template class DenseInverse<double>;

}  // namespace haloheap::comm::detail
