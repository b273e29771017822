// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_COMM_HALO_COMPARE_MEASURES_HPP
#define HALOHEAP_UNIT_COMM_HALO_COMPARE_MEASURES_HPP

#include <haloheap/core/stencil/measuring.hpp>
#include <haloheap/unit/comm/halo/compared_steps.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>

#include <cstdio>
#include <vector>

namespace haloheap::comm {

/// A sum alone.
template <class T, int Dims>
struct Sum {
  using Fields = stencil::Fields<T>;
  using Measures = stencil::Measures<stencil::Sum>;
  static constexpr int dims = Dims;
  static constexpr const char* name = "sum";
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Cell& cell) const {
    return stencil::measured(cell(0));
  }
  double bound(int /*number*/) const { return 4; }
};

/// A largest value alone.
template <class T, int Dims>
struct Max : Sum<T, Dims> {
  using Measures = stencil::Measures<stencil::Max>;
  static constexpr const char* name = "max";
};

/// The same for which no kernels are compiled.
template <class Measure>
struct Afterwards : Measure {};

/// What a measure costs of a rule that is a stencil of five or seven points: speeds as fractions of that
/// without, measured by kernels of their own and on the way.
template <class T, int Dims, class Measure>
class MeasureComparison {
 public:
  MeasureComparison(const Communicator& world, const Grid& grid, double seconds)
      : world_(world), grid_(grid), seconds_(seconds) {}

  void run(int fused) const {
    const DeepHaloConfig config{.depth = fused, .fused_steps = fused, .phases = false};
    Steps plain(*this, config);
    const grid::Index count = steps_of(seconds_, plain.steps, 2 * config.depth, cells());
    const double without = best(plain.steps, count);
    const auto afterwards = results(Afterwards<Measure>{}, config, count),
               within = results(Measure{}, config, count);
    std::printf(
        "%d-D %-6s %d fused: %8.1f GCells/s; %s each pass: %.3f afterwards, %.3f on the way; each tenth: "
        "%.3f and %.3f; %s\n",
        Dims, sizeof(T) == 4 ? "float" : "double", fused, without, Measure::name, afterwards.each / without,
        within.each / without, afterwards.tenth / without, within.tenth / without,
        afterwards.values == within.values ? "same" : "DIFFERENT");
    std::fflush(stdout);
  }

 private:
  using Rule = stencil::MeasuringRule<Star<T, Dims>, Measure>;

  /// From the same start values.
  struct Steps {
    memory::Array<T> now, next;
    DeepHalo<T> steps;

    Steps(const MeasureComparison& of, const DeepHaloConfig& config)
        : now(testing::make_device_array(compared_start<T>(layout_of<Rule>(of.grid_, config.depth)))),
          next(testing::make_device_array(compared_start<T>(layout_of<Rule>(of.grid_, config.depth)))),
          steps(of.world_, of.grid_, rule(), {}, config, FieldData<T>(now), FieldData<T>(next)) {}
  };

  static Rule rule() { return stencil::measuring<Measure>(Star<T, Dims>{}); }
  grid::Index cells() const { return product(grid_.cells); }

  double best(DeepHalo<T>& steps, grid::Index count) const {
    rate(steps, count, cells());
    double best = 0;
    for (int turn = 0; turn < 5; ++turn) best = std::max(best, rate(steps, count, cells()));
    return best;
  }

  struct Results {
    double each, tenth;
    std::vector<std::vector<double>> values;
  };
  template <class Given>
  Results results(const Given& measure, const DeepHaloConfig& config, grid::Index count) const {
    Steps run(*this, config);
    Results results;
    run.steps.measure_each(config.depth, measure);
    results.each = best(run.steps, count);
    run.steps.finish();
    results.values = run.steps.measured();
    run.steps.measure_each(10 * config.depth, measure);
    results.tenth = best(run.steps, count);
    return results;
  }

  const Communicator& world_;
  Grid grid_;
  double seconds_;
};

// Compiled one by one: see compare_measures_part.cpp.in.
extern template class MeasureComparison<float, 2, Max<float, 2>>;
extern template class MeasureComparison<float, 2, Sum<float, 2>>;
extern template class MeasureComparison<float, 3, Max<float, 3>>;
extern template class MeasureComparison<float, 3, Sum<float, 3>>;
extern template class MeasureComparison<double, 2, Max<double, 2>>;
extern template class MeasureComparison<double, 2, Sum<double, 2>>;
extern template class MeasureComparison<double, 3, Max<double, 3>>;
extern template class MeasureComparison<double, 3, Sum<double, 3>>;

}  // namespace haloheap::comm

#endif
