// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_RULE_REFERENCE_HPP
#define HALOHEAP_CORE_STENCIL_RULE_REFERENCE_HPP

#include <haloheap/core/base/error.hpp>
#include <haloheap/core/stencil/outside.hpp>
#include <haloheap/core/stencil/rule.hpp>
#include <haloheap/core/stencil/stored_fields.hpp>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace haloheap::stencil {

/// What an update rule makes of a whole grid, cell by cell on one host thread: the plain meaning of a rule,
/// by which every other way to run it is judged. Shares no code with those. Kernels trust a rule that it asks
/// for nothing else than it says; here, what it asks for is checked.
template <UpdateRule Rule>
class RuleReference {
 public:
  using Traits = RuleTraits<Rule>;
  using T = typename Traits::T;
  using Constant = typename Traits::Constant;

  /// @param cells one in z of a grid of two dimensions
  /// @param now values by field, z, y, x, of the whole grid, as memory keeps them
  /// @param constants likewise
  /// @throws UsageError for other numbers of values
  RuleReference(const Rule& rule, const SideRules& sides, const grid::Triple& cells, std::vector<T> now,
                std::vector<Constant> constants = {})
      : rule_(rule),
        sides_(sides),
        cells_(cells),
        now_(std::move(now)),
        next_(now_.size()),
        constants_(std::move(constants)) {
    require_size("fields", now_.size(), Traits::fields);
    require_size("constants", constants_.size(), Traits::constants);
  }

  /// @param steps each of all its stages
  /// @throws UsageError if the rule asks for a field that it does not have, or for a neighbour further away
  /// than its radius or, in a star, off the axes
  void advance(grid::Index steps) { advance_stages(steps * Traits::stages); }

  void advance_stages(grid::Index stages) {
    for (grid::Index stage = 0; stage < stages; ++stage) {
      for (grid::Index z = 0; z < cells_.z; ++z)
        for (grid::Index y = 0; y < cells_.y; ++y)
          for (grid::Index x = 0; x < cells_.x; ++x) compute({x, y, z});
      now_.swap(next_);
      ++done_;
    }
  }

  const std::vector<T>& values() const { return now_; }

 private:
  /// For devices as well, since rules are, where it has nothing to say: so compilers do not warn of it.
  struct Cell {
    const RuleReference& grid;
    grid::Triple at;

    KOKKOS_FUNCTION T operator()(int field, int dx = 0, int dy = 0, int dz = 0) const {
      KOKKOS_IF_ON_HOST((return grid.neighbour(field, at, dx, dy, dz);))
      KOKKOS_IF_ON_DEVICE((return T{};))
    }
    KOKKOS_FUNCTION Constant constant(int field, int dx = 0, int dy = 0, int dz = 0) const {
      KOKKOS_IF_ON_HOST((return grid.constant_of_neighbour(field, at, dx, dy, dz);))
      KOKKOS_IF_ON_DEVICE((return Constant{};))
    }
    KOKKOS_FUNCTION grid::Index index(int dim) const { return at[dim]; }
    KOKKOS_FUNCTION grid::Index step() const { return grid.done_ / Traits::stages; }
    KOKKOS_FUNCTION int stage() const { return static_cast<int>(grid.done_ % Traits::stages); }
  };

  T neighbour(int field, const grid::Triple& at, int dx, int dy, int dz) const {
    require_known("field", field, Traits::fields);
    require_near(dx, dy, dz, Traits::star);
    return value(field, {at.x + dx, at.y + dy, at.z + dz}, Traits::dims - 1);
  }

  Constant constant_of_neighbour(int field, const grid::Triple& at, int dx, int dy, int dz) const {
    require_known("constant", field, Traits::constants);
    require_near(dx, dy, dz, false);
    return constant(field, {at.x + dx, at.y + dy, at.z + dz});
  }

  void require_size(const char* what, std::size_t size, int count) const {
    const auto wanted = static_cast<std::size_t>(count * grid::product(cells_));
    if (size != wanted)
      throw UsageError("the " + std::string(what) + " of a rule have " + std::to_string(size) +
                           " values, but its grid asks for " + std::to_string(wanted),
                       "values would be read elsewhere",
                       "give one for each field and cell of the whole grid");
  }

  static void require_known(const char* what, int number, int count) {
    if (number < 0 || number >= count)
      throw UsageError("an update rule asks for " + std::string(what) + " " + std::to_string(number) +
                           " of " + std::to_string(count),
                       "kernels would read elsewhere", "count them from 0");
  }

  static void require_near(int dx, int dy, int dz, bool star) {
    const int away[3] = {std::abs(dx), std::abs(dy), std::abs(dz)};
    const bool near =
        std::max({away[0], away[1], away[2]}) <= Traits::radius && (Traits::dims == 3 || dz == 0);
    const bool on_axis = (away[0] > 0) + (away[1] > 0) + (away[2] > 0) <= 1;
    if (near && (on_axis || !star)) return;
    throw UsageError("an update rule of " + std::to_string(Traits::dims) + " dimensions and radius " +
                         std::to_string(Traits::radius) + ", shape " + (Traits::star ? "star" : "box") +
                         ", asks for the neighbour (" + std::to_string(dx) + ", " + std::to_string(dy) +
                         ", " + std::to_string(dz) + ")",
                     "kernels would read cells that are not there",
                     near ? "say shape = StencilShape::box" : "say a larger radius");
  }

  /// What the rule returns for a cell. Not by the function of the kernels, which this is to be held against.
  auto returned(const Cell& cell) const {
    if constexpr (detail::InRows<Rule>) {
      constexpr int radius = Traits::radius, deep = Traits::dims == 3 ? radius : 0;
      typename Rule::Sum sum{};
      for (int dz = -deep; dz <= deep; ++dz)
        for (int dy = -radius; dy <= radius; ++dy)
          sum = rule_.add([&](int field, int dx = 0) { return cell(field, dx, dy, dz); }, dy, dz, sum);
      return rule_.finish(cell, sum);
    } else if constexpr (detail::InTwoParts<Rule>) {
      constexpr int y = Traits::dims == 2 ? -Traits::radius : 0, z = Traits::dims == 3 ? -Traits::radius : 0;
      return rule_.finish(cell, rule_.begin([&](int field) { return cell(field, 0, y, z); }));
    } else {
      return rule_(cell);
    }
  }

  void compute(const grid::Triple& at) {
    const auto values = detail::as_values<T, Traits::fields>(returned(Cell{*this, at}));
    for (int field = 0; field < Traits::fields; ++field)
      next_[position(field, at)] = detail::as_stored<Rule>(field, values.value[field]);
  }

  std::size_t position(int field, const grid::Triple& at) const {
    return static_cast<std::size_t>(((field * cells_.z + at.z) * cells_.y + at.y) * cells_.x + at.x);
  }

  /// The last dimension has the last word: what is outside in it depends on what is outside in those before.
  T value(int field, grid::Triple at, int dim) const {
    if (dim < 0) return now_[position(field, at)];
    const grid::Index n = cells_[dim], i = at[dim];
    if (sides_.periodic(dim)) at[dim] = (i + n) % n;
    if (sides_.periodic(dim) || (i >= 0 && i < n)) return value(field, at, dim - 1);
    return detail::as_stored<Rule>(field, outside(field, at, dim, i >= n));
  }

  T outside(int field, const grid::Triple& at, int dim, bool high) const {
    const Outside& side = sides_.at(dim, high, field);
    const grid::Index n = cells_[dim], i = at[dim];
    grid::Triple inside = at;
    inside[dim] = high ? 2 * n - 1 - i : -1 - i;
    if (side.kind == Outside::Kind::outflow) inside[dim] = high ? n - 1 : 0;
    if (side.kind == Outside::Kind::value) return static_cast<T>(side.number);
    const T of_inside = value(field, inside, dim - 1);
    if (side.kind == Outside::Kind::mirror) return static_cast<T>(side.number) * of_inside;
    if (side.kind == Outside::Kind::outflow) return of_inside;
    if constexpr (detail::HasOutside<Rule>) {
      const int distance = static_cast<int>(high ? i - n : -1 - i);
      detail::GhostOfRule<Rule> ghost{{of_inside, dim, high, distance, wrapped(at)}, {}, {}};
      if (Traits::uses_step) {
        ghost.step = done_ / Traits::stages;
        ghost.stage = static_cast<int>(done_ % Traits::stages);
      }
      for (int other = 0; other < Traits::fields; ++other)
        ghost.fields[other] = value(other, inside, dim - 1);
      for (int number = 0; number < Traits::constants; ++number)
        ghost.constants[number] = constant(number, inside);
      return rule_.outside(field, ghost);
    }
    return of_inside;
  }

  grid::Triple wrapped(grid::Triple at) const {
    for (int dim = 0; dim < Traits::dims; ++dim)
      if (sides_.periodic(dim)) at[dim] = (at[dim] + cells_[dim]) % cells_[dim];
    return at;
  }

  /// Outside of the grid that of the cell as far inside.
  Constant constant(int field, grid::Triple at) const {
    for (int dim = 0; dim < Traits::dims; ++dim) {
      const grid::Index n = cells_[dim], i = at[dim];
      if (sides_.periodic(dim))
        at[dim] = (i + n) % n;
      else if (i < 0)
        at[dim] = -1 - i;
      else if (i >= n)
        at[dim] = 2 * n - 1 - i;
    }
    return constants_[position(field, at)];
  }

  Rule rule_;
  SideRules sides_;
  grid::Triple cells_;
  std::vector<T> now_, next_;
  std::vector<Constant> constants_;
  grid::Index done_ = 0;  // stages
};

}  // namespace haloheap::stencil

#endif
