// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_WAVES_WAVE_ENERGY_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_WAVES_WAVE_ENERGY_HPP

#include <haloheap/comm/halo/halo.hpp>
#include <haloheap/miniapp/problems/waves/wave_settings.hpp>

#include <type_traits>
#include <vector>

namespace haloheap {

/// A rank's own cells of one field on the host, and around them those of its neighbours.
template <class T, int Dims>
class CellsAround {
 public:
  /// Collective. @param own by z, y, x
  CellsAround(const comm::Communicator& communicator, const comm::Grid& grid, int radius, const T* own)
      : radius_(radius),
        own_(grid.own()),
        field_(sized("haloheap::waves::cells")),
        host_(Kokkos::create_mirror_view(field_)) {
    for (grid::Index z = own_.lo.z; z < own_.hi.z; ++z)
      for (grid::Index y = own_.lo.y; y < own_.hi.y; ++y)
        for (grid::Index x = own_.lo.x; x < own_.hi.x; ++x) at({x, y, z}) = *own++;
    Kokkos::deep_copy(field_, host_);
    comm::Halo halo(communicator, grid, {field_}, {.width = radius});
    const backend::Exec exec;
    halo.exchange(exec);
    exec.fence("haloheap::waves::cells");
    halo.check();
    Kokkos::deep_copy(host_, field_);
  }

  /// @param cell of the whole grid
  T& at(const grid::Triple& cell) const {
    const grid::Index x = cell.x - own_.lo.x + radius_, y = cell.y - own_.lo.y + radius_;
    if constexpr (Dims == 2)
      return host_(y, x);
    else
      return host_(cell.z - own_.lo.z + radius_, y, x);
  }

 private:
  using Data = std::conditional_t<Dims == 2, T**, T***>;
  using Field = Kokkos::View<Data, Kokkos::LayoutRight, Kokkos::DefaultExecutionSpace>;

  Field sized(const char* label) const {
    const auto n = [this](int dim) { return static_cast<std::size_t>(own_.extent(dim) + 2 * radius_); };
    if constexpr (Dims == 2)
      return Field(label, n(1), n(0));
    else
      return Field(label, n(2), n(1), n(0));
  }

  grid::Index radius_;
  grid::Box own_;
  Field field_;
  typename Field::HostMirror host_;
};

/// The energy that leapfrog steps conserve, where nothing is absorbed: half the sum over the cells of
///
///     (u(n) - u(n-1))^2 / (c dt / h)^2 - u(n-1) h^2 lap u(n),  times h^(dims - 2)
///
/// @param now u(n) of a cell, also of neighbours around `own`
/// @param before u(n-1)
/// @returns what the cells of `own` add
template <class Now, class Before>
double wave_energy(const WaveSettings& settings, const grid::Box& own, const Now& now, const Before& before) {
  const auto weight = second_derivative(settings.order);
  const GridSize& size = settings.size;
  const stencil::SideRules sides = settings.sides();
  const auto along = [&](grid::Triple cell, int dim, grid::Index by) {
    cell[dim] += by;
    const grid::Index n = size.cells[dim], i = cell[dim];
    if (sides.periodic(dim) || (i >= 0 && i < n)) return static_cast<double>(now(cell));
    cell[dim] = i < 0 ? -1 - i : 2 * n - 1 - i;
    return -static_cast<double>(now(cell));
  };
  double sum = 0;
  for (grid::Index z = own.lo.z; z < own.hi.z; ++z)
    for (grid::Index y = own.lo.y; y < own.hi.y; ++y)
      for (grid::Index x = own.lo.x; x < own.hi.x; ++x) {
        const grid::Triple cell{x, y, z};
        const double here = now(cell), then = before(cell);
        double laplacian = size.dims * weight[0] * here;
        for (int i = 1; i <= settings.radius(); ++i)
          for (int dim = 0; dim < size.dims; ++dim)
            laplacian += weight[static_cast<std::size_t>(i)] * (along(cell, dim, -i) + along(cell, dim, i));
        sum += (here - then) * (here - then) / settings.courant2(cell) - then * laplacian;
      }
  return sum / 2 * std::pow(settings.spacing, size.dims - 2);
}

}  // namespace haloheap

#endif
