// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/box_cells.hpp>
#include <haloheap/comm/solvers/grid_transfer.hpp>

#include <algorithm>

namespace haloheap::comm::detail {

template <class T, int Children>
struct Restrict {
  static constexpr int dots = 0;
  Coarsening coarsening;
  PlacedField<const T> fine;
  PlacedField<T> coarse;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& cell, grid::Index at) const {
    double weights[3][Children];
    grid::Triple first;  // local
    HALOHEAP_UNROLL
    for (int dim = 0; dim < 3; ++dim) {
      const grid::Index of = coarse.first[dim] + cell[dim], child = coarsening.first_child(dim, of);
      HALOHEAP_UNROLL
      for (int i = 0; i < Children; ++i)
        weights[dim][i] = i < coarsening.children(dim) ? coarsening.weight(dim, child + i, of) : 0;
      first[dim] = child - fine.first[dim];
    }
    T sum = 0;
    HALOHEAP_UNROLL
    for (int k = 0; k < Children; ++k) HALOHEAP_UNROLL
    for (int j = 0; j < Children; ++j) HALOHEAP_UNROLL
    for (int i = 0; i < Children; ++i) {
      const double weight = weights[0][i] * weights[1][j] * weights[2][k];
      if (weight != 0)
        sum += static_cast<T>(weight) * fine.data[fine.layout.at({first.x + i, first.y + j, first.z + k})];
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
    HALOHEAP_UNROLL
    for (int k = 0; k < 2; ++k) HALOHEAP_UNROLL
    for (int j = 0; j < 2; ++j) HALOHEAP_UNROLL
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
  int children = 0;
  for (int dim = 0; dim < 3; ++dim) children = std::max(children, coarsening.children(dim));
  if (children <= 3)
    for_own_cells(exec, "haloheap::comm::restrict", coarse.layout, Restrict<T, 3>{coarsening, fine, coarse});
  else
    for_own_cells(exec, "haloheap::comm::restrict", coarse.layout, Restrict<T, 5>{coarsening, fine, coarse});
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
