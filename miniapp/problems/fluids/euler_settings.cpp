// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/fluids/euler_settings.hpp>
#include <haloheap/miniapp/problems/grids/boundary_keys.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>

#include <fmt/format.h>

#include <string>

namespace haloheap::fluids {
namespace {

enum class Along { x, y };

constexpr auto names_of(Along) {
  return name_table<Along>("dimension", {{Along::x, "x"}, {Along::y, "y"}});
}

void add_method(deck::Section& section) {
  section.choice("flux", Flux::hll).help("Numerical flux of two waves, or of one speed to both sides");
  section.integer("order", 2)
      .range(1, 2)
      .help("In space: cells of one value, or with slopes (MUSCL, in density, velocity and pressure)");
  section.choice("limiter", Limiter::minmod).help("Of order 2: how slopes are limited");
  section.integer("stages", 2)
      .range(2, 3)
      .help("Of a step of Runge and Kutta that keeps the total variation bounded: as many as its order");
  section.real("time_step", 0).range(0, 1e6).unit("time").help("Fixed; 0: chosen by the Courant number");
  section.real("courant", 0.4)
      .range(1e-3, 1)
      .help("Cells that the fastest waves cross in a step, in x and in y together");
  section.integer("update_every", 10)
      .range(0, deck::largest_count)
      .unit("steps")
      .help("After so many steps the time step is chosen anew; 0: only at the start");
}

}  // namespace

void add_euler_keys(deck::Schema& schema) {
  deck::Section& section = schema.section("euler2d", "A gas without viscosity");
  section.choice("start", EulerStart::sod)
      .help(
          "Sod's tube; a wave of density that a uniform flow carries; two streams side by side, whose edges "
          "roll up; a vortex that a uniform flow carries. The grid is the unit square");
  section.real("gamma", 1.4).range(1.01, 5).help("Ratio of the specific heats");
  add_method(section);
  section.choice("along", Along::x).help("Of start sod: the dimension of the tube");
  section.real("amplitude", 0.1).range(1e-9, 0.9).help("Of start wave: of density 1; else: of the velocity");
  section.integers("mode", {})
      .length(2, 2)
      .range(0, deck::largest_count)
      .unit("periods")
      .help("Of start wave: periods in each dimension; none: 1 in each");
  for (const char* side : {"x_low", "x_high", "y_low", "y_high"})
    section.choice(side, EulerSide::periodic)
        .help("What is beyond: the other side, a wall without friction, or more of what is inside");
}

EulerSettings read_euler(const deck::Deck& deck, const GridSize& size) {
  const auto real = [&](const char* key) { return deck.get<double>(std::string("euler2d.") + key); };
  EulerSettings settings{.start = deck.choice<EulerStart>("euler2d.start"),
                         .along = static_cast<int>(deck.choice<Along>("euler2d.along")),
                         .gamma = real("gamma"),
                         .flux = deck.choice<Flux>("euler2d.flux"),
                         .limiter = deck.choice<Limiter>("euler2d.limiter"),
                         .order = deck.number("euler2d.order"),
                         .stages = deck.number("euler2d.stages"),
                         .time_step = real("time_step"),
                         .courant = real("courant"),
                         .every = deck.number("euler2d.update_every"),
                         .amplitude = real("amplitude"),
                         .mode = read_triple(deck, "euler2d.mode", size.dims, {1, 1, 0}),
                         .sides = {}};
  for (int dim = 0; dim < 2; ++dim) {
    const auto key = [dim](bool high) { return side_key("euler2d", dim, high); };
    auto& [low, high] = settings.sides[dim];
    low = deck.choice<EulerSide>(key(false));
    high = deck.choice<EulerSide>(key(true));
    if ((low == EulerSide::periodic) != (high == EulerSide::periodic))
      deck.reject(key(true), fmt::format("one side of {} is periodic and the other is not", "xy"[dim]),
                  "make both sides periodic, or neither");
  }
  if (settings.start == EulerStart::sod && settings.periodic(settings.along))
    deck.reject(side_key("euler2d", settings.along, false),
                "a tube has two ends, and the deck makes it a ring",
                "use \"outflow\" or \"reflecting\", or another euler2d.along");
  const bool carried = settings.start == EulerStart::wave || settings.start == EulerStart::vortex;
  for (int dim = 0; dim < 2; ++dim)
    if (carried && !settings.periodic(dim))
      deck.reject(side_key("euler2d", dim, false),
                  fmt::format("the flow carries the {} around the grid, which ends in {}",
                              name_of(settings.start), "xy"[dim]),
                  "make both sides periodic, or use another euler2d.start");
  return settings;
}

stencil::SideRules euler_sides(const EulerSettings& settings) {
  stencil::SideRules sides;
  for (const int dim : {0, 1}) {
    if (settings.periodic(dim)) continue;
    for (const bool high : {false, true})
      for (int field = 0; field < 8; ++field) {
        const bool wall = settings.sides[dim][high ? 1 : 0] == EulerSide::reflecting;
        const bool against = field % 4 == along_x + dim;
        auto& side = (high ? sides.high : sides.low)[static_cast<std::size_t>(dim)];
        side.push_back(wall ? stencil::Outside::mirror(against ? -1 : 1) : stencil::Outside::outflow());
      }
  }
  return sides;
}

}  // namespace haloheap::fluids
