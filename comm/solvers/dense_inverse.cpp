// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/lanes.hpp>
#include <haloheap/backend/launch.hpp>
#include <haloheap/comm/solvers/dense_inverse.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>

#include <Kokkos_Core.hpp>

#include <vector>

namespace haloheap::comm::detail {

/// A team for each unknown: neighbouring lanes read neighbouring values of its row.
template <class T>
struct MultiplyRow {
  using Policy = Kokkos::TeamPolicy<backend::Exec>;
  const double* rows;
  const T* b;
  T* x;
  grid::FieldLayout layout;

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const auto count = static_cast<int>(layout.own.x * layout.own.y * layout.own.z);
    const int row = team.league_rank();
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, count),
        [&](int column, double& part) {
          part += rows[grid::Index{row} * count + column] * static_cast<double>(b[place(column)]);
        },
        sum);
    Kokkos::single(Kokkos::PerThread(team), [&] { x[place(row)] = static_cast<T>(sum); });
  }

  KOKKOS_FORCEINLINE_FUNCTION grid::Index place(int cell) const {
    const auto width = static_cast<int>(layout.own.x), height = static_cast<int>(layout.own.y);
    return layout.at({cell % width, cell / width % height, cell / width / height});
  }
};

template <class T>
DenseInverse<T>::DenseInverse(const Exec& exec, const std::shared_ptr<memory::MemoryResource>& memory,
                              const DenseFactors& factors, const grid::FieldLayout& layout)
    : layout_(layout), rows_(memory, "haloheap::comm::dense_inverse", factors.size() * factors.size()) {
  const std::vector<double> rows = factors.inverse();
  backend::copy(exec, rows_.data(), rows.data(), rows.size() * sizeof(double));
}

template <class T>
void DenseInverse<T>::apply(const Exec& exec, const T* b, T* x) const {
  const auto count = static_cast<int>(product(layout_.own));
  using Policy = typename MultiplyRow<T>::Policy;
  backend::parallel_for("haloheap::comm::multiply_row",
                        backend::as_kernel_argument(Policy(exec, count, 1, backend::warp_size)),
                        MultiplyRow<T>{rows_.data(), b, x, layout_});
}

template class DenseInverse<float>;
template class DenseInverse<double>;

}  // namespace haloheap::comm::detail
