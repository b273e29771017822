// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/box_cells.hpp>
#include <haloheap/comm/solvers/transfer_kernels.hpp>

#include <algorithm>
#include <type_traits>

namespace haloheap::comm::detail {

namespace {

/// Calls `with` the number of children of a coarse cell in a dimension, at least.
template <class With>
void with_children(const Coarsening& coarsening, const With& with) {
  int children = 0;
  for (int dim = 0; dim < 3; ++dim) children = std::max(children, coarsening.children(dim));
  if (children <= 3)
    with(std::integral_constant<int, 3>());
  else
    with(std::integral_constant<int, 5>());
}

}  // namespace

template <class T>
void restrict_to(const backend::Exec& exec, const Coarsening& coarsening, const PlacedField<const T>& fine,
                 const PlacedField<T>& coarse) {
  with_children(coarsening, [&](auto children) {
    for_own_cells(exec, "haloheap::comm::restrict", coarse.layout,
                  Restrict<T, decltype(children)::value>{coarsening, fine, coarse});
  });
}

template <class T>
void add_interpolated(const backend::Exec& exec, const Coarsening& coarsening,
                      const PlacedField<const T>& coarse, const PlacedField<T>& fine, const grid::Box& box) {
  with_children(coarsening, [&](auto children) {
    for_box(exec, "haloheap::comm::interpolate", fine.layout, box,
            AddInterpolated<T, decltype(children)::value>{coarsening, coarse, fine});
  });
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
