// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/box_cells.hpp>
#include <haloheap/comm/solvers/grid_transfer.hpp>

namespace haloheap::comm::detail {

template <class T>
struct Restrict {
  static constexpr int dots = 0;
  Coarsening coarsening;
  PlacedField<const T> fine;
  PlacedField<T> coarse;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& cell, grid::Index at) const {
    grid::Triple of, first;
    for (int dim = 0; dim < 3; ++dim) {
      of[dim] = coarse.first[dim] + cell[dim];
      first[dim] = coarsening.first_child(dim, of[dim]);
    }
    T sum = 0;
    for (int k = 0; k < coarsening.children(2); ++k) {
      const double along_z = coarsening.weight(2, first.z + k, of.z);
      if (along_z == 0) continue;
      for (int j = 0; j < coarsening.children(1); ++j) {
        const double along_y = along_z * coarsening.weight(1, first.y + j, of.y);
        if (along_y == 0) continue;
        for (int i = 0; i < coarsening.children(0); ++i) {
          const double along_x = along_y * coarsening.weight(0, first.x + i, of.x);
          if (along_x != 0)
            sum += static_cast<T>(along_x) *
                   fine.data[fine.layout.at(
                       {first.x + i - fine.first.x, first.y + j - fine.first.y, first.z + k - fine.first.z})];
        }
      }
    }
    coarse.data[at] = sum;
  }
};

template <class T>
struct AddInterpolated {
  static constexpr int dots = 0;
  Coarsening coarsening;
  PlacedField<const T> coarse;
  PlacedField<T> fine;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& cell, grid::Index at) const {
    const Parents x = coarsening.parents(0, fine.first.x + cell.x),
                  y = coarsening.parents(1, fine.first.y + cell.y),
                  z = coarsening.parents(2, fine.first.z + cell.z);
    T sum = 0;
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 2; ++i) {
          const double weight = x.weight[i] * y.weight[j] * z.weight[k];
          if (weight != 0)
            sum += static_cast<T>(weight) *
                   coarse.data[coarse.layout.at({x.coarse[i] - coarse.first.x, y.coarse[j] - coarse.first.y,
                                                 z.coarse[k] - coarse.first.z})];
        }
    fine.data[at] += sum;
  }
};

template <class T>
void restrict_to(const backend::Exec& exec, const Coarsening& coarsening, const PlacedField<const T>& fine,
                 const PlacedField<T>& coarse) {
  for_own_cells(exec, "haloheap::comm::restrict", coarse.layout, Restrict<T>{coarsening, fine, coarse});
}

template <class T>
void add_interpolated(const backend::Exec& exec, const Coarsening& coarsening,
                      const PlacedField<const T>& coarse, const PlacedField<T>& fine, const grid::Box& box) {
  for_box(exec, "haloheap::comm::interpolate", fine.layout, box,
          AddInterpolated<T>{coarsening, coarse, fine});
}

template void restrict_to(const backend::Exec&, const Coarsening&, const PlacedField<const float>&,
                          const PlacedField<float>&);
template void restrict_to(const backend::Exec&, const Coarsening&, const PlacedField<const double>&,
                          const PlacedField<double>&);
template void add_interpolated(const backend::Exec&, const Coarsening&, const PlacedField<const float>&,
                               const PlacedField<float>&, const grid::Box&);
template void add_interpolated(const backend::Exec&, const Coarsening&, const PlacedField<const double>&,
                               const PlacedField<double>&, const grid::Box&);

}  // namespace haloheap::comm::detail
