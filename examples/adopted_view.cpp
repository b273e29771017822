// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// A container takes over a View that a program has, and a kernel that was written for Kokkos::DualView uses
// it.
#include <haloheap/core/coherence/dual_view.hpp>
#include <haloheap/core/coherence/skeletons.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>

using namespace haloheap::coherence;

/// What was there before: it knows Kokkos alone.
template <class DualView>
void double_all(DualView& dual) {
  using Exec = Context::Exec;
  dual.template sync<Exec>();
  const auto view = dual.template view<Exec>();
  Kokkos::parallel_for(
      "double", Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>>({0, 0}, {view.extent(0), view.extent(1)}),
      KOKKOS_LAMBDA(std::size_t i, std::size_t j) { view(i, j) *= 2; });
  Kokkos::fence();
  dual.template modify<Exec>();
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> mine("mine", 300, 200);
  Kokkos::deep_copy(mine, 1);
  double sum = 0;
  {
    Context context;  // all devices of this process; the host if there is none
    Matrix<double> matrix(context, "matrix", mine);
    map(
        all_devices, "add", matrix, KOKKOS_LAMBDA(double x) { return x + 2; }, matrix);
    {
      DualView dual(matrix);
      double_all(dual);
    }
    sum = reduce(all_devices, "sum", Sum<double>{}, matrix);
  }
  std::printf("%.0f in all, %.0f in the View\n", sum, mine(299, 199));
  return sum == 6 * 300 * 200 && mine(299, 199) == 6 ? 0 : 1;
}
