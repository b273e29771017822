// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_RULE_SWEEP_HPP
#define HALOHEAP_CORE_STENCIL_RULE_SWEEP_HPP

#include <haloheap/backend/launch.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/core/stencil/rule_planes_launch.hpp>
#include <haloheap/core/stencil/rule_task.hpp>
#include <haloheap/core/stencil/sweep_kernels.hpp>
#include <haloheap/core/stencil/sweep_march.hpp>
#include <haloheap/core/stencil/sweep_tiles.hpp>
#include <haloheap/core/stencil/with_residual.hpp>

#include <algorithm>

namespace haloheap::stencil::detail {

/// Single steps of one rule, by the kernel that suits the boxes. Shapes and block sizes were chosen by
/// measurement on an H200, see docs/results/tuning/2026-11_stencils.md.
template <class Rule, class Tally>
class RuleSweep {
 public:
  using Traits = RuleTraits<Rule>;
  using T = typename Traits::T;

  explicit RuleSweep(const RuleTask<Rule, Tally>& task) : task_(task) {}

  /// One box by the kernel that reads memory once, several thin ones by one kernel.
  void run() const {
    if constexpr (backend::kernels_on_host)
      for (const grid::Box& box : task_.boxes) rows(box);
    else if (task_.boxes.size() != 1)
      cells();
    else if constexpr (one_cell_a_thread)
      cells();
    else if constexpr (Traits::dims == 2)
      tiles(task_.boxes.front());
    else if constexpr (in_planes)
      planes(task_.boxes.front());
    else if constexpr (Traits::star)
      march<MarchSweep<Rule, width, 2, Tally>, march_blocks>(task_.boxes.front());
    else if constexpr (BoxMarch::words <= box_march_words)
      march<BoxMarch, 0>(task_.boxes.front());
    else
      cells();
  }

  void cells() const {
    grid::for_each_box_list(task_.boxes, [&](const grid::BoxList& list) {
      const CellSweep<Rule, Tally> kernel{task_.in,    task_.out, task_.layout, task_.rule,
                                          task_.frame, list,      task_.tally};
      launch<256>("haloheap::stencil::sweep_cells", list.cells() * task_.sets(), kernel);
    });
  }

  /// Where a tile of a team would be nearly empty, a thread computes a cell.
  void planes(const grid::Box& box) const {
    if (box.extent(0) < 64 || box.extent(1) < 8)
      cells();
    else
      sweep_rule_planes(task_);
  }

  void rows(const grid::Box& box) const {
    const RowSweep<Rule, Tally> kernel{task_.in,    task_.out, task_.layout, task_.rule,
                                       task_.frame, box,       task_.tally};
    launch<256>("haloheap::stencil::sweep_rows", box.extent(1) * box.extent(2) * task_.sets(), kernel);
  }

  void tiles(const grid::Box& box) const {
    using Kernel = TileSweep<Rule, width, tile_height(), Tally>;
    const grid::FieldLayout& layout = task_.layout;
    const typename Kernel::Tiles tiles(box);
    const Kernel kernel{task_.in,   task_.out,   layout.origin, layout.pitch, layout.quantity_size,
                        task_.rule, task_.frame, tiles,         task_.tally};
    launch<Tally::counts ? 128 : 256>("haloheap::stencil::sweep_tiles",
                                      grid::Index{tiles.columns} * tiles.rows * task_.sets(), kernel);
  }

  template <class Kernel, int Resident>
  void march(const grid::Box& box) const {
    constexpr int planes = 32;
    const grid::FieldLayout& layout = task_.layout;
    const typename Kernel::Tiles tiles(box);
    const auto chunks = static_cast<unsigned>((box.extent(2) + planes - 1) / planes);
    const Kernel kernel{{task_.in, task_.out, layout.origin, layout.pitch, layout.plane, layout.quantity_size,
                         task_.rule, task_.frame, tiles, static_cast<int>(box.lo.z),
                         static_cast<int>(box.hi.z), planes, chunks, task_.tally}};
    launch<128, Resident>("haloheap::stencil::sweep_march",
                          grid::Index{tiles.columns} * tiles.rows * chunks * task_.sets(), kernel);
  }

 private:
  /// Cells of a lane in x: 16 bytes are the widest load.
  static constexpr int width = 16 / sizeof(T);
  /// Rows of a tile. With a residual a thread computes more between its loads: more and smaller tiles keep
  /// the memory busy. The rows of several fields share the registers.
  static constexpr int tile_height() {
    constexpr int height = Traits::radius > 1 ? 4 : Tally::counts ? 6 : 8;
    return std::max(2, height / Traits::fields);
  }

  /// A star of many fields, such as a stage of a fluid, computes long for each cell, and one thread for eight
  /// of them has too few registers: those of order 2 are 3 times as fast so, see
  /// docs/results/tuning/2026-11_stencils.md.
  static constexpr bool one_cell_a_thread = Traits::dims == 2 && Traits::star && Traits::fields > 4 &&
                                            (Traits::radius > 1 || sizeof(T) == 4);

  /// Where a team streams through planes, and has its neighbours' rows from shared memory.
  static constexpr bool in_planes = single_plane_shape<Rule, Tally>().height > 0;

  using BoxMarch = BoxMarchSweep<Rule, width, 2, Tally>;
  /// More do not fit into the registers, beside what else a rule needs.
  static constexpr int box_march_words = 160;

  /// Blocks of march that a multiprocessor should hold at once; 0: whatever the compiler finds best. The star
  /// of radius 1 in double wants 72 registers; without a word it got 64 and some memory for the rest.
  static constexpr int march_blocks = sizeof(T) == 8 && Traits::radius == 1 && Traits::fields == 1 ? 7 : 0;

  template <int Block, int Resident = 0, class Kernel>
  void launch(const char* label, grid::Index iterations, const Kernel& kernel) const {
    using Policy = Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<grid::Index>,
                                       Kokkos::LaunchBounds<Block, Resident>>;
    backend::parallel_for(label, backend::as_kernel_argument(Policy(task_.exec, 0, iterations)), kernel);
  }

  RuleTask<Rule, Tally> task_;
};

/// @param target for a residual, unless the task has a measure
template <class Rule, class Tally>
void sweep_rule(const RuleTask<Rule, Tally>& task, const ResidualTarget& target) {
  if (task.boxes.empty()) return;
  if constexpr (!Tally::measures && RuleTraits<Rule>::has_residual)
    with_residual(target, task.boxes, [&](const auto& residual) { RuleSweep(task.with(residual)).run(); });
  else
    RuleSweep(task).run();
}

}  // namespace haloheap::stencil::detail

#endif
