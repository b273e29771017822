// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/allocators/allocation.hpp>
#include <haloheap/miniapp/problems/allocators/allocation_schema.hpp>
#include <haloheap/miniapp/problems/allocators/allocator_schema.hpp>
#include <haloheap/miniapp/problems/allocators/collectives.hpp>
#include <haloheap/miniapp/problems/allocators/collectives_schema.hpp>
#include <haloheap/miniapp/problems/allocators/getpage.hpp>
#include <haloheap/miniapp/problems/allocators/getpage_schema.hpp>
#include <haloheap/miniapp/problems/allocators/hash_join.hpp>
#include <haloheap/miniapp/problems/allocators/hash_join_schema.hpp>
#include <haloheap/miniapp/problems/allocators/malloc_schema.hpp>
#include <haloheap/miniapp/problems/allocators/malloc_sweep.hpp>
#include <haloheap/miniapp/problems/containers/coherence_schema.hpp>
#include <haloheap/miniapp/problems/containers/lu.hpp>
#include <haloheap/miniapp/problems/containers/lu_schema.hpp>
#include <haloheap/miniapp/problems/containers/mandelbrot.hpp>
#include <haloheap/miniapp/problems/containers/mandelbrot_schema.hpp>
#include <haloheap/miniapp/problems/containers/nbody.hpp>
#include <haloheap/miniapp/problems/containers/nbody_schema.hpp>
#include <haloheap/miniapp/problems/containers/sph.hpp>
#include <haloheap/miniapp/problems/containers/sph_schema.hpp>
#include <haloheap/miniapp/problems/containers/statistics_app.hpp>
#include <haloheap/miniapp/problems/containers/statistics_schema.hpp>
#include <haloheap/miniapp/problems/heat/heat.hpp>
#include <haloheap/miniapp/problems/heat/heat_schema.hpp>
#include <haloheap/miniapp/problems/transfers/bandwidth.hpp>
#include <haloheap/miniapp/problems/transfers/bandwidth_schema.hpp>
#include <haloheap/miniapp/problems/transfers/transfer.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_schema.hpp>
#include <haloheap/miniapp/problems/transfers/vector_add.hpp>

namespace haloheap {

const Registry<ProblemEntry>& problems() {
  static const Registry<ProblemEntry> registry(
      "problem", {
                     {"heat2d",
                      "2D stencil with deep halos (Valen 2023)",
                      {add_heat_keys, add_transfer_mode_keys, add_memory_keys},
                      make_heat2d},
                     {"heat3d",
                      "3D stencil with deep halos",
                      {add_heat_keys, add_transfer_mode_keys, add_memory_keys},
                      make_heat3d},
                     {"malloc_sweep",
                      "requests of many threads at once (Pham et al. 2022, Figures 8 to 11)",
                      {add_allocator_keys, add_malloc_keys, add_memory_keys},
                      make_malloc_sweep},
                     {"getpage",
                      "pages out of a pool that is in use, and the steps to find them (Pham et al. 2022)",
                      {add_allocator_keys, add_getpage_keys, add_memory_keys},
                      make_getpage},
                     {"allocation",
                      "allocate, work and free in one kernel (Blach et al. 2022)",
                      {add_allocator_keys, add_allocation_keys, add_memory_keys},
                      make_allocation},
                     {"hash_join",
                      "partitioned hash join with output pages (Pham et al. 2022)",
                      {add_allocator_keys, add_hash_join_keys, add_memory_keys},
                      make_hash_join},
                     {"collectives",
                      "threads of a kernel as MPI ranks (Blach et al. 2022)",
                      {add_allocator_keys, add_collectives_keys, add_memory_keys},
                      make_collectives},
                     {"transfer",
                      "an array up, a kernel, the array down: bounds, modes, schedules (Bhimani et al.)",
                      {add_transfer_mode_keys, add_transfer_keys, add_memory_keys},
                      make_transfer},
                     {"bandwidth",
                      "copies between host and device alone, each mode and way",
                      {add_transfer_mode_keys, add_transfer_keys, add_bandwidth_keys, add_memory_keys},
                      make_bandwidth},
                     {"vector_add",
                      "two arrays up, their sum down (Bhimani et al.)",
                      {add_transfer_mode_keys, add_transfer_keys, add_memory_keys},
                      make_vector_add},
                     {"ppmcc",
                      "correlation of two vectors, five calls (Dastgeer and Kessler 2016)",
                      {add_coherence_keys, add_statistics_keys},
                      make_ppmcc},
                     {"mse",
                      "mean squared error of two vectors, one call (Dastgeer and Kessler 2016)",
                      {add_coherence_keys, add_statistics_keys},
                      make_mse},
                     {"lu",
                      "L and U of a matrix (Dastgeer and Kessler 2016)",
                      {add_coherence_keys, add_lu_keys},
                      make_lu},
                     {"mandelbrot",
                      "a picture made of nothing: no byte goes up (Dastgeer and Kessler 2016)",
                      {add_coherence_keys, add_mandelbrot_keys},
                      make_mandelbrot},
                     {"nbody",
                      "all particles attract all others (Dastgeer and Kessler 2016)",
                      {add_coherence_keys, add_nbody_keys},
                      make_nbody},
                     {"sph",
                      "a block of water falls in a box, smoothed particles (Dastgeer and Kessler 2016)",
                      {add_coherence_keys, add_sph_keys},
                      make_sph},
                 });
  return registry;
}

}  // namespace haloheap
