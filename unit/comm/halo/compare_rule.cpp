// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// How fast an update rule that a user writes, as one operator and in parts, is beside haloheap's own stencil
// of five points, or of seven and 27 in three dimensions. A star is in two parts, a box in rows. No test: its
// result is times. What measures cost is measured by compare_measures.
//
//   compare_rule [cells in a dimension, 16384] [milliseconds of a run, 500] [cells in each of three, 512]
//
// Runs take turns, and each line has the best of five. Bits are compared after every run.
#include <haloheap/unit/comm/halo/compared_steps.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace haloheap::comm {
namespace {

template <class Rule, class InParts>
struct Comparison {
  const Communicator& world;
  Grid grid;
  double seconds;
  using T = typename Rule::Fields::type;

  GridProblem problem() const { return {Rule::stencil(), grid::Boundary{}, grid.cells, grid.topology}; }

  void run(int fused) const {
    const DeepHaloConfig config{.depth = std::max(fused, 1), .fused_steps = fused, .phases = false};
    const grid::FieldLayout layout = problem().layout(config.depth, sizeof(T));
    const std::vector<T> values = compared_start<T>(layout);
    const memory::Array<T> fields[] = {
        testing::make_device_array(values), testing::make_device_array(values),
        testing::make_device_array(values), testing::make_device_array(values),
        testing::make_device_array(values), testing::make_device_array(values)};
    DeepHalo<T> own(world, problem(), config, FieldData<T>(fields[0]), FieldData<T>(fields[1]));
    DeepHaloConfig as_many = config;  // as one operator can have
    as_many.fused_steps = std::min(fused, stencil::description_of<Rule>({}).max_fused_steps);
    DeepHalo<T> rule(world, grid, Rule{}, {}, as_many, FieldData<T>(fields[2]), FieldData<T>(fields[3]));
    DeepHalo<T> parts(world, grid, InParts{}, {}, config, FieldData<T>(fields[4]), FieldData<T>(fields[5]));
    const grid::Index unit = 2 * config.depth, cells = product(grid.cells),
                      count = steps_of(seconds, own, unit, cells);
    rate(rule, unit + count, cells);
    rate(parts, unit + count, cells);
    rate(own, count, cells);
    double best[3] = {};
    for (int turn = 0; turn < 5; ++turn) {
      best[0] = std::max(best[0], rate(own, count, cells));
      best[1] = std::max(best[1], rate(rule, count, cells));
      best[2] = std::max(best[2], rate(parts, count, cells));
    }
    const bool same = equal(own.now(), rule.now(), layout) && equal(own.now(), parts.now(), layout);
    std::printf(
        "%2zu points %-6s %d fused: own %8.1f GCells/s, rule %8.1f (%.3f of it), in parts %8.1f (%.3f), bits "
        "%s\n",
        problem().stencil.coefficients.size(), sizeof(T) == 4 ? "float" : "double", fused, best[0], best[1],
        best[1] / best[0], best[2], best[2] / best[0], same ? "equal" : "DIFFER");
    std::fflush(stdout);
  }

  bool equal(const T* a, const T* b, const grid::FieldLayout& layout) const {
    int different = 0;
    const Kokkos::MDRangePolicy<Kokkos::Rank<3>, backend::Exec> own(
        {0, 0, 0}, {layout.own.x, layout.own.y, layout.own.z});
    Kokkos::parallel_reduce("haloheap::compare_rule::bits", own, Differ{a, b, layout}, different);
    return different == 0;
  }
  struct Differ {
    const T *a, *b;
    grid::FieldLayout layout;

    KOKKOS_FUNCTION void operator()(long x, long y, long z, int& sum) const {
      const grid::Index at = layout.at({x, y, z});
      sum += a[at] == b[at] ? 0 : 1;
    }
  };
};

}  // namespace
}  // namespace haloheap::comm

int main(int argc, char** argv) {
  using namespace haloheap::comm;
  const auto compare = []<class T, int Dims>(const Communicator& world, const Grid& grid, double seconds,
                                             int fused) {
    Comparison<Star<T, Dims>, StarInParts<T, Dims>>{world, grid, seconds}.run(fused);
    if constexpr (Dims == 3) {
      if (fused <= 2) Comparison<Box<T>, BoxInRows<T>>{world, grid, seconds}.run(fused);
    }
  };
  return compare_steps(argc, argv, compare);
}
