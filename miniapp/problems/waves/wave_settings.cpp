// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/stencil/stencil_table.hpp>
#include <haloheap/miniapp/problems/grids/boundary_keys.hpp>
#include <haloheap/miniapp/problems/grids/grid_rules.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/problems/waves/wave_settings.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace haloheap {
namespace {

using Side = WaveSide;

/// Of a sponge: the damping grows with this power of the depth, and leaves so much of a wave that has gone to
/// the side and back. Less would send back more, from within the sponge: measured for sponges of two to four
/// wavelengths.
constexpr double sponge_power = 2, sponge_rest = 1e-2;

void check_sides(const deck::Deck& deck, const WaveSettings& s) {
  for (int dim = 0; dim < s.size.dims; ++dim) {
    const auto at = static_cast<std::size_t>(dim);
    const Side low = s.low[at], high = s.high[at];
    if ((low == Side::periodic) != (high == Side::periodic))
      deck.reject(side_key("wave", dim, true),
                  fmt::format("one side of {} is periodic and the other is not", "xyz"[dim]),
                  "make both of them periodic, or none");
    const grid::Index sponges = s.sponge * ((low == Side::absorbing) + (high == Side::absorbing));
    if (sponges > s.size.cells[dim])
      deck.reject("wave.sponge",
                  fmt::format("sponges of {} cells do not fit into {} cells in {}", s.sponge,
                              s.size.cells[dim], "xyz"[dim]),
                  "use a larger grid, or a thinner sponge");
    if (s.start == WaveStart::mode && low != Side::periodic && s.mode[dim] == 0)
      deck.reject("wave.mode", fmt::format("a mode without half waves in {} is zero everywhere", "xyz"[dim]),
                  "give it at least one there");
  }
}

/// Leapfrog steps are stable as long as no eigenvalue of (c dt)^2 lap is beyond -4.
void check_step(const deck::Deck& deck, const WaveSettings& s) {
  const double number = 2 / std::sqrt(stiffest(s.order, s.size.dims));
  const double longest = number * s.spacing / s.speed.fastest();
  if (s.time_step > longest)
    deck.reject(
        "wave.time_step",
        fmt::format("waves are unstable in steps of more than {:.6g} s = {:.6g} x spacing / fastest speed "
                    "(order {}, {} m, {:.6g} m/s)",
                    longest, number, s.order, s.spacing, s.speed.fastest()),
        fmt::format("use a time step of at most {:.6g} s", longest));
}

void check_source(const deck::Deck& deck, const WaveSettings& s) {
  if (s.start != WaveStart::source) return;
  const double cells = s.speed.slowest() / s.frequency / s.spacing;
  if (cells < 2)
    deck.reject(
        "wave.frequency",
        fmt::format("waves of {:.6g} Hz are {:.3g} cells long where they are slowest, and a grid has none "
                    "shorter than 2",
                    s.frequency, cells),
        "use a lower frequency, or a smaller wave.spacing");
}

void check_inside(const deck::Deck& deck, const char* key, const GridSize& size, const grid::Triple& cell) {
  for (int dim = 0; dim < size.dims; ++dim)
    if (cell[dim] < 0 || cell[dim] >= size.cells[dim])
      deck.reject(key,
                  fmt::format("{} is no cell in {}, which has {}", cell[dim], "xyz"[dim], size.cells[dim]),
                  "name a cell of the grid; cells are counted from 0");
}

WaveReceivers read_receivers(const deck::Deck& deck, const GridSize& size) {
  const auto list = deck.get<std::vector<std::int64_t>>("wave.receivers");
  const auto dims = static_cast<std::size_t>(size.dims);
  if (list.size() % dims != 0)
    deck.reject("wave.receivers", fmt::format("{} numbers are no list of cells", list.size()),
                fmt::format("give {} for each receiver", dims));
  WaveReceivers receivers{{}, deck.get<std::int64_t>("wave.receiver_interval")};
  if (!list.empty())
    check_graph(deck, "wave.receiver_interval", receivers.interval,
                fmt::format("receivers are read every {}", receivers.interval));
  for (std::size_t first = 0; first < list.size(); first += dims) {
    grid::Triple cell{0, 0, 0};
    for (std::size_t i = 0; i < dims; ++i) cell[static_cast<int>(i)] = list[first + i];
    check_inside(deck, "wave.receivers", size, cell);
    receivers.cells.push_back(cell);
  }
  return receivers;
}

/// 1 at the side, 0 where the sponge begins.
double sponge_depth(const WaveSettings& s, int dim, grid::Index cell) {
  const auto at = static_cast<std::size_t>(dim);
  const auto depth = [&](WaveSide side, grid::Index from_side) {
    if (side != Side::absorbing || from_side >= s.sponge) return 0.0;
    return 1 - (static_cast<double>(from_side) + 0.5) / static_cast<double>(s.sponge);
  };
  return std::max(depth(s.low[at], cell), depth(s.high[at], s.size.cells[dim] - 1 - cell));
}

void add_sides(deck::Section& section) {
  for (const char* side : {"x_low", "x_high", "y_low", "y_high", "z_low", "z_high"})
    section.choice(side, Side::periodic)
        .help(
            "The grid wraps around; u = 0 on the side; or waves are absorbed by a sponge in front of it. "
            "Both "
            "sides of a dimension are periodic, or none");
  section.integer("sponge", 40).range(1, deck::largest_count).unit("cells").help("Thickness of a sponge");
}

void add_start(deck::Section& section) {
  section.choice("start", WaveStart::source)
      .help(
          "Rest, and a source that sends out a wavelet ([Ricker1953]); or a standing wave without a source");
  section.real("amplitude", 1)
      .range(1e-12, 1e12)
      .help(
          "Of the standing wave; or of the source, which adds so much times (speed x time_step / spacing)^2 "
          "in a "
          "step");
  section.real("frequency", 10)
      .range(1e-9, 1e9)
      .unit("Hz")
      .help("Of the source: where its spectrum is highest");
  section.integers("source", {})
      .length(2, 3)
      .range(0, deck::largest_count)
      .unit("cells")
      .help("Its cell; none: the middle");
  section.integers("mode", {})
      .length(2, 3)
      .range(0, deck::largest_count)
      .unit("periods")
      .help("Of a standing wave: periods in each dimension, half ones between sides; none: 1 in each");
}

void add_receivers(deck::Section& section) {
  section.integers("receivers", {})
      .length(2, 3000)
      .range(0, deck::largest_count)
      .unit("cells")
      .help(
          "Cells whose u is recorded, one after the other: [x, y, x, y], or three numbers each; none: "
          "nothing is");
  section.integer("receiver_interval", 2)
      .range(1, deck::largest_count)
      .unit("steps")
      .help(
          "Steps that are made between two recordings, each of which is of the last two: 2 or less records "
          "every "
          "step. Halos and passes end there");
}

}  // namespace

bool WaveSettings::absorbs() const {
  bool any = false;
  for (std::size_t dim = 0; dim < static_cast<std::size_t>(size.dims); ++dim)
    any = any || low[dim] == Side::absorbing || high[dim] == Side::absorbing;
  return any;
}

stencil::SideRules WaveSettings::sides() const {
  stencil::SideRules sides;
  for (std::size_t dim = 0; dim < static_cast<std::size_t>(size.dims); ++dim)
    if (low[dim] != Side::periodic) sides.low[dim] = sides.high[dim] = {stencil::Outside::mirror(-1)};
  return sides;
}

double WaveSettings::courant2(const grid::Triple& cell) const {
  const double number = speed.at(cell) * time_step / spacing;
  return number * number;
}

double WaveSettings::taper(const grid::Triple& cell) const {
  double sum = 0;
  for (int dim = 0; dim < size.dims; ++dim)
    sum += std::pow(sponge_depth(*this, dim, cell[dim]), sponge_power);
  if (sum == 0) return 1;
  // A field that decays by the rate s becomes exp(-2 integral of s / c) on the way to the side and back.
  const double strongest = (sponge_power + 1) / 2 * -std::log(sponge_rest) / static_cast<double>(sponge);
  return std::exp(-strongest * sum * std::sqrt(courant2(cell)));
}

void add_wave_keys(deck::Schema& schema) {
  deck::Section& section = schema.section("wave", "Acoustic waves");
  section.integer("order", 4)
      .range(2, 8)
      .help("Of the differences in space: 2, 4 or 8, which reach 1, 2 or 4 cells");
  section.real("spacing", 10).range(1e-9, 1e9).unit("m").help("Width of a cell");
  section.real("time_step", 0.002).range(1e-12, 1e9).unit("s").help("Of the leapfrog method");
  add_wave_speed_keys(schema);
  add_sides(section);
  add_start(section);
  add_receivers(section);
}

WaveSettings read_waves(const deck::Deck& deck, const GridSize& size) {
  const auto real = [&](const char* key) { return deck.get<double>(std::string("wave.") + key); };
  const grid::Triple& n = size.cells;
  WaveSettings s{.size = size,
                 .order = deck.number("wave.order"),
                 .spacing = real("spacing"),
                 .time_step = real("time_step"),
                 .speed = read_wave_speed(deck, size),
                 .low = {},
                 .high = {},
                 .sponge = deck.get<std::int64_t>("wave.sponge"),
                 .start = deck.choice<WaveStart>("wave.start"),
                 .amplitude = real("amplitude"),
                 .frequency = real("frequency"),
                 .source = read_triple(deck, "wave.source", size.dims, {n.x / 2, n.y / 2, n.z / 2}),
                 .mode = read_triple(deck, "wave.mode", size.dims, {1, 1, 1}),
                 .receivers = read_receivers(deck, size)};
  if (s.order != 2 && s.order != 4 && s.order != 8)
    deck.reject("wave.order", fmt::format("there are no differences of order {}", s.order), "use 2, 4 or 8");
  for (int dim = 0; dim < size.dims; ++dim) {
    s.low[static_cast<std::size_t>(dim)] = deck.choice<Side>(side_key("wave", dim, false));
    s.high[static_cast<std::size_t>(dim)] = deck.choice<Side>(side_key("wave", dim, true));
  }
  check_sides(deck, s);
  check_step(deck, s);
  check_source(deck, s);
  check_inside(deck, "wave.source", size, s.source);
  return s;
}

std::array<double, 5> second_derivative(int order) {
  return stencil::find_stencil(stencil::StencilShape::star, order / 2)->second_derivative;
}

double stiffest(int order, int dims) {
  const auto weight = second_derivative(order);
  double sum = -weight[0];
  for (std::size_t i = 1; i < weight.size(); ++i) sum -= (i % 2 == 0 ? 2 : -2) * weight[i];
  return dims * sum;
}

std::vector<double> ricker_wavelet(const WaveSettings& s, grid::Index steps) {
  if (s.start != WaveStart::source) return {0};
  // It begins and ends where it is 1e-8 of its largest value.
  const double delay = 1.5 / s.frequency;
  const double strength = s.amplitude * s.courant2(s.source);
  std::vector<double> samples;
  for (grid::Index step = 0; step < steps; ++step) {
    const double time = static_cast<double>(step) * s.time_step - delay;
    if (time > delay) break;
    const double square = std::pow(std::numbers::pi * s.frequency * time, 2);
    samples.push_back(strength * (1 - 2 * square) * std::exp(-square));
  }
  samples.push_back(0);
  return samples;
}

}  // namespace haloheap
