// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/waves/wave_speed.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace haloheap {

double WaveSpeed::at(const grid::Triple& cell) const {
  if (medium == Medium::layered) {
    const grid::Index along = cell[size.dims - 1];
    const auto layer = std::upper_bound(bounds.begin(), bounds.end(), along) - bounds.begin();
    return layers[static_cast<std::size_t>(layer)];
  }
  if (medium == Medium::uniform) return speed;
  double square = 0;  // of the distance from the middle, over that of the lens' rim
  for (int dim = 0; dim < size.dims; ++dim) {
    const double distance = static_cast<double>(2 * cell[dim] + 1 - size.cells[dim]) / (2 * lens_radius);
    square += distance * distance;
  }
  if (square >= 1) return speed;
  return speed + (lens_speed - speed) * (1 - square) * (1 - square);
}

double WaveSpeed::fastest() const {
  if (medium == Medium::layered) return *std::max_element(layers.begin(), layers.end());
  return medium == Medium::lens ? std::max(speed, lens_speed) : speed;
}

double WaveSpeed::slowest() const {
  if (medium == Medium::layered) return *std::min_element(layers.begin(), layers.end());
  return medium == Medium::lens ? std::min(speed, lens_speed) : speed;
}

void add_wave_speed_keys(deck::Schema& schema) {
  constexpr double slow = 1e-9, fast = 1e9;
  deck::Section& section = schema.section("wave", "Acoustic waves");
  section.choice("medium", Medium::uniform)
      .help("The same speed everywhere; layers along the last dimension; or a smooth lens in the middle");
  section.real("speed", 2000).range(slow, fast).unit("m/s").help("Of waves; of a lens: around it");
  section.reals("layers", {1500, 2500, 3500})
      .length(1, 1000)
      .range(slow, fast)
      .unit("m/s")
      .help("Of a layered medium: speeds along the last dimension, from its low side on");
  section.reals("interfaces", {})
      .length(1, 1000)
      .range(0, 1)
      .help(
          "Where one layer ends and the next begins, as parts of the last dimension; none: all are as thick");
  section.real("lens_speed", 1000).range(slow, fast).unit("m/s").help("In the middle of a lens");
  section.real("lens_radius", 0.25).range(1e-6, 1).help("Of a lens, as a part of the shortest dimension");
}

WaveSpeed read_wave_speed(const deck::Deck& deck, const GridSize& size) {
  const auto real = [&](const char* key) { return deck.get<double>(std::string("wave.") + key); };
  grid::Index shortest = size.cells.x;
  for (int dim = 1; dim < size.dims; ++dim) shortest = std::min(shortest, size.cells[dim]);
  WaveSpeed result{deck.choice<Medium>("wave.medium"),
                   real("speed"),
                   deck.get<std::vector<double>>("wave.layers"),
                   {},
                   real("lens_speed"),
                   real("lens_radius") * static_cast<double>(shortest),
                   size};
  auto interfaces = deck.get<std::vector<double>>("wave.interfaces");
  const std::size_t needed = result.layers.size() - 1;
  if (interfaces.empty())
    for (std::size_t i = 1; i <= needed; ++i)
      interfaces.push_back(static_cast<double>(i) / static_cast<double>(needed + 1));
  if (interfaces.size() != needed)
    deck.reject("wave.interfaces",
                fmt::format("{} interfaces do not divide {} layers", interfaces.size(), needed + 1),
                fmt::format("give {} numbers, or none", needed));
  if (!std::is_sorted(interfaces.begin(), interfaces.end()))
    deck.reject("wave.interfaces", "a layer ends before it begins", "give them in ascending order");
  for (const double at : interfaces)
    result.bounds.push_back(std::llround(at * static_cast<double>(size.cells[size.dims - 1])));
  return result;
}

}  // namespace haloheap
