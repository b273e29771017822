// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_PLANES_LAUNCH_HPP
#define HALOHEAP_CORE_STENCIL_PLANES_LAUNCH_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/core/backend/residency.hpp>
#include <haloheap/core/stencil/plane_count.hpp>
#include <haloheap/core/stencil/plane_tile.hpp>

#include <Kokkos_Core.hpp>

#include <span>
#include <vector>

namespace haloheap::stencil::detail {

/// Enqueues a kernel derived from PlaneTile on boxes, none of them empty.
/// @param quantities each computed by itself
/// @param make_kernel (tiles) gives the kernel of these tiles
template <int Steps, PlaneShape shape, class Kernel, class MakeKernel>
void launch_planes(const backend::Exec& exec, std::span<const grid::Box> some, int quantities,
                   const MakeKernel& make_kernel) {
  if (some.empty()) return;
  constexpr int block = shape.warps * Kernel::lanes_a_warp;
  const int resident = backend::residency().multiprocessors * shape.resident;
  const int planes = best_planes<Kernel>(some, quantities, resident);
  std::vector<StreamBox> boxes;
  for (const grid::Box& box : some) boxes.push_back({box, planes});
  for_each_stream_tiles<3>(boxes, quantities, Kernel::tile(), [&](const StreamTiles<3>& tiles) {
    const Kernel kernel = make_kernel(tiles);
    using Policy = Kokkos::TeamPolicy<backend::Exec, Kokkos::LaunchBounds<block, shape.resident>>;
    auto policy = backend::as_kernel_argument(Policy(exec, static_cast<int>(tiles.count()), block));
    policy.set_scratch_size(0, Kokkos::PerTeam(Kernel::scratch_bytes));
    Kokkos::parallel_for(Steps == 1 ? "haloheap::stencil::sweep_planes" : "haloheap::stencil::fused_planes",
                         policy, kernel);
  });
}

}  // namespace haloheap::stencil::detail

#endif
