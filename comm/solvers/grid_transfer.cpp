// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/box_cells.hpp>
#include <haloheap/comm/solvers/transfer_kernels.hpp>

#include <algorithm>

namespace haloheap::comm::detail {

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
