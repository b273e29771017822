// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What docs/guide/physics.md quotes: a physics of its own in the mini-app.
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/problems/grids/boundary_keys.hpp>
#include <haloheap/miniapp/problems/grids/grid_problem.hpp>
#include <haloheap/miniapp/problems/grids/rule_model.hpp>
#include <haloheap/miniapp/problems/precision.hpp>
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/unit/comm/helpers.hpp>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace haloheap {
namespace {

template <class T>
struct Diffusion {
  using Fields = stencil::Fields<T>;
  static constexpr int dims = 2, radius = 1, max_fused_steps = 2;
  static constexpr auto shape = stencil::StencilShape::star;
  static constexpr std::string_view names[1] = {"u"};
  T number;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const Cell& cell) const {
    const T around = cell(0, -1, 0) + cell(0, 1, 0) + cell(0, 0, -1) + cell(0, 0, 1);
    return cell(0) + number * (around - 4 * cell(0));
  }
};

// [diffusion]
template <class T>
class DiffusionModel final : public RuleModel<Diffusion<T>> {
 public:
  DiffusionModel(const GridSize& size, double number, const grid::Boundary& boundary)
      : RuleModel<Diffusion<T>>(size, {static_cast<T>(number)}, stencil::side_rules(boundary, 2)) {}

  CellValues<T> start() const override {
    return [cells = this->size().cells](int, const grid::Triple& cell) { return T(2 * cell.x < cells.x); };
  }
};

void add_diffusion_keys(deck::Schema& schema) {
  deck::Section& section = schema.section("diffusion", "A substance that spreads");
  section.real("number", 0.2).range(0, 0.25).help("Diffusivity x time step / square of a cell's width");
}

std::unique_ptr<GridModel> make_diffusion(const deck::Deck& deck, const GridSize& size) {
  return in_precision(deck.choice<Precision>("grid.precision"),
                      [&]<class T>(T /*value*/) -> std::unique_ptr<GridModel> {
                        return std::make_unique<DiffusionModel<T>>(size, deck.get<double>("diffusion.number"),
                                                                   read_boundary(deck, 2));
                      });
}
// [diffusion]

}  // namespace

// [diffusion]
ProblemEntry diffusion2d_problem() {
  return grid_problem({.name = "diffusion2d",
                       .help = "A substance that spreads",
                       .dims = 2,
                       .add_keys = {add_boundary_keys, add_diffusion_keys},
                       .model = make_diffusion});
}
// [diffusion]

namespace {

/// What differs in a rank's own cells after the deck's steps from the model's serial reference.
template <class T>
std::string difference(const deck::Deck& deck, const GridModelOf<T>& model) {
  const comm::Communicator communicator(MPI_COMM_WORLD);
  const grid::Triple& cells = model.size().cells;
  const comm::Grid grid = comm::Grid::make(communicator, {cells.x, cells.y});
  const comm::DeepHaloConfig config{.depth = 2, .fused_steps = 2};
  const grid::FieldLayout layout = grid.layout(config.depth, model.fields(), sizeof(T));
  const std::vector<T> unset(static_cast<std::size_t>(layout.size()));
  const auto now = testing::make_device_array(unset), next = testing::make_device_array(unset);
  model.fill(layout, grid.own())(backend::Exec(), now.data());
  const auto halo =
      model.halo(communicator, grid, config, now.data(), next.data(), memory::make_memory_resource("device"));
  const auto steps = deck.get<std::int64_t>("grid.steps");
  halo->advance(steps);
  halo->finish();
  const auto last = testing::to_host(halo->now() == now.data() ? now : next);
  std::vector<T> found;
  testing::for_each_cell(layout.own_box(), [&](const grid::Triple& cell) {
    found.push_back(last[static_cast<std::size_t>(layout.at(cell))]);
  });
  return testing::difference(found, testing::own_part(model.reference(steps), cells, 1, grid.own()));
}

TEST(PhysicsPage, has_a_physics_that_computes_what_its_deck_says) {
  const ProblemEntry problem = diffusion2d_problem();
  EXPECT_EQ(problem.name, "diffusion2d");
  for (const std::string precision : {"float", "double"}) {
    const std::string text =
        "grid = {size = [24, 16], steps = 1, precision = '" + precision + "'}\ndiffusion.number = 0.125\n";
    const deck::Deck deck = deck::load_text(schema_of(problem), text, "a.toml").point(0);
    const auto model = problem.model(deck, {2, {24, 16, 1}});
    EXPECT_EQ(model->scalar(), precision);
    in_precision(deck.choice<Precision>("grid.precision"), [&]<class T>(T /*value*/) {
      const auto& typed = dynamic_cast<const GridModelOf<T>&>(*model);
      EXPECT_EQ(difference(deck, typed), "");
      const std::vector<T> after = typed.reference(1);
      EXPECT_EQ(after[5], 1);
      EXPECT_EQ(after[11], 0.875) << "beside cells without the substance";
      EXPECT_EQ(after[12], 0.125);
    });
  }
  EXPECT_THROW(deck::load_text(schema_of(problem), "diffusion.number = 0.3\n", "a.toml"), UsageError)
      << "out of the range that the section says";
}

}  // namespace
}  // namespace haloheap
