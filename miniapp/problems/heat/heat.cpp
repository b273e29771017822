// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/deep_halo.hpp>
#include <haloheap/core/stencil/initial_fill.hpp>
#include <haloheap/core/stencil/reference.hpp>
#include <haloheap/miniapp/problems/grids/boundary_keys.hpp>
#include <haloheap/miniapp/problems/grids/grid_problem.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/problems/heat/heat_settings.hpp>
#include <haloheap/miniapp/problems/precision.hpp>
#include <haloheap/miniapp/problems/problems.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace haloheap {
namespace {

// All initial fields lie within -1 and 1.
constexpr double largest_initial = 1;

GridFacts facts_of(const HeatSettings& heat, const grid::Boundary& boundary) {
  GridFacts facts{.radius = heat.stencil.radius, .updates = heat.quantities};
  for (int quantity = 0; quantity < heat.quantities; ++quantity)
    facts.fields.push_back(fmt::format("u{}", quantity));
  for (int dim = 0; dim < 3; ++dim) facts.periodic[dim] = boundary.periodic(dim);
  return facts;
}

/// A stencil with constant coefficients, whose kernels are compiled for several numbers of quantities.
template <class T>
class HeatModel final : public GridModelOf<T> {
 public:
  HeatModel(const GridSize& size, const grid::Boundary& boundary, const HeatSettings& heat)
      : GridModelOf<T>(size, facts_of(heat, boundary)), boundary_(boundary), heat_(heat) {}

  std::optional<comm::HaloProblem> problem(const comm::Grid& grid,
                                           const comm::DeepHaloConfig& config) const override {
    return comm::problem_of(problem_on(grid), config);
  }

  std::shared_ptr<comm::DeepHalo<T>> halo(
      const comm::Communicator& communicator, const comm::Grid& grid, const comm::DeepHaloConfig& config,
      T* now, T* next, const std::shared_ptr<memory::MemoryResource>& /*resource*/) const override {
    return std::make_shared<comm::DeepHalo<T>>(communicator, problem_on(grid), config, now, next);
  }

  std::optional<double> residual_bound() const override {
    return stencil::residual_bound(heat_.stencil, boundary_, largest_initial);
  }

  CellValues<T> start() const override {
    return [initial = initial_field()](int quantity, const grid::Triple& cell) {
      return static_cast<T>(initial.at(cell, quantity));
    };
  }

  std::function<void(const backend::Exec&, T*)> fill(const grid::FieldLayout& layout,
                                                     const grid::Box& own) const override {
    return [fill = stencil::InitialFill<T>(initial_field(), layout, own)](
               const backend::Exec& exec, T* field) { fill.run(exec, field); };
  }

  /// One factor a coordinate.
  std::size_t start_bytes(std::size_t /*own_bytes*/) const override {
    return static_cast<std::size_t>((cells().x + cells().y + cells().z) * heat_.quantities) * sizeof(double);
  }
  /// One quantity after the other.
  std::size_t reference_bytes() const override {
    return static_cast<std::size_t>(product(cells()) * (heat_.quantities + 2)) * sizeof(T);
  }

  std::vector<T> reference(grid::Index steps) const override {
    return stencil::reference_solution<T>(initial_field(), heat_.stencil, boundary_, cells(),
                                          heat_.quantities, steps);
  }

  std::vector<stencil::ResidualSum> reference_residuals(grid::Index steps,
                                                        const stencil::ResidualScale& scale) const override {
    return stencil::reference_residuals<T>(initial_field(), heat_.stencil, boundary_, cells(),
                                           heat_.quantities, steps, scale);
  }

  /// Discrete sine modes decay by an exact factor each step.
  std::optional<KnownAnswer> known_answer(grid::Index steps) const override {
    const stencil::InitialField initial = initial_field();
    std::vector<double> factors;
    for (int quantity = 0; quantity < heat_.quantities; ++quantity) {
      const auto decay = initial.decay(heat_.stencil, quantity);
      if (!decay) return std::nullopt;
      factors.push_back(std::pow(*decay, static_cast<double>(steps)));
    }
    // Each step rounds each of its products and sums once: a bound of points + 1 half units in the last place
    // of values that are at most 1, carried on by a stencil that does not amplify.
    const double rounding = static_cast<double>(heat_.stencil.coefficients.size() + 1) *
                            static_cast<double>(std::numeric_limits<T>::epsilon());
    return KnownAnswer{.at =
                           [initial, factors](int quantity, const grid::Triple& cell) {
                             return factors[static_cast<std::size_t>(quantity)] * initial.at(cell, quantity);
                           },
                       .tolerance = static_cast<double>(steps + 1) * rounding};
  }

 private:
  const grid::Triple& cells() const { return this->size().cells; }
  comm::GridProblem problem_on(const comm::Grid& grid) const {
    return {heat_.stencil, boundary_, grid.cells, grid.topology, heat_.quantities};
  }
  stencil::InitialField initial_field() const {
    return {heat_.initial, boundary_, this->size().dims, cells(), heat_.quantities};
  }

  grid::Boundary boundary_;
  HeatSettings heat_;
};

std::unique_ptr<GridModel> make_heat(const deck::Deck& deck, const GridSize& size) {
  const HeatSettings heat = read_heat(deck, size.dims);
  const grid::Boundary boundary = read_boundary(deck, size.dims);
  return in_precision(read_precision(deck), [&]<class T>(T /*value*/) -> std::unique_ptr<GridModel> {
    return std::make_unique<HeatModel<T>>(size, boundary, heat);
  });
}

}  // namespace

ProblemEntry heat2d_problem() {
  return grid_problem({.name = "heat2d",
                       .help = "2D stencil with deep halos ([Valen2023])",
                       .dims = 2,
                       .add_keys = {add_boundary_keys, add_heat_keys},
                       .model = make_heat});
}
ProblemEntry heat3d_problem() {
  return grid_problem({.name = "heat3d",
                       .help = "3D stencil with deep halos",
                       .dims = 3,
                       .add_keys = {add_boundary_keys, add_heat_keys},
                       .model = make_heat});
}

}  // namespace haloheap
