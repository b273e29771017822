// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_INITIAL_FILL_HPP
#define HALOHEAP_CORE_STENCIL_INITIAL_FILL_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/stencil/initial.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::stencil {

/// Sets all elements of a field to NaN, so that what nobody wrote is seen in the result.
template <class T>
void poison(const backend::Exec& exec, const grid::FieldLayout& layout, T* field);

/// Sets the own cells of a subdomain to their start values on the device, with the bits of InitialField::at,
/// and all other elements to NaN, so that a ghost cell that nobody filled is seen in the result.
template <class T>
class InitialFill {
 public:
  using Exec = backend::Exec;

  /// @param own this rank's part of the grid, in global coordinates
  InitialFill(const InitialField& initial, const grid::FieldLayout& layout, const grid::Box& own);

  void run(const Exec& exec, T* field) const;

 private:
  Initial initial_;
  grid::Triple cells_;
  grid::FieldLayout layout_;
  grid::Box own_;
  Kokkos::View<double*, Exec> factors_;  // [quantity][x..., y..., z...]
};

extern template void poison<float>(const backend::Exec&, const grid::FieldLayout&, float*);
extern template void poison<double>(const backend::Exec&, const grid::FieldLayout&, double*);
extern template void poison<std::uint8_t>(const backend::Exec&, const grid::FieldLayout&, std::uint8_t*);
extern template class InitialFill<float>;
extern template class InitialFill<double>;

}  // namespace haloheap::stencil

#endif
