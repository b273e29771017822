// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_COMM_SOLVERS_ASSEMBLED_CASES_HPP
#define HALOHEAP_UNIT_COMM_SOLVERS_ASSEMBLED_CASES_HPP

#include <haloheap/comm/solvers/assembled_matrix.hpp>
#include <haloheap/unit/comm/solvers/solver_runs.hpp>

#include <cstdint>
#include <vector>

namespace haloheap::comm {

/// Another coefficient for each neighbour of each cell, a third of them 0, without any symmetry. They are
/// eighths, so that sums of them are exact.
template <class T, int Dims, int Radius>
struct Scattered {
  using Fields = stencil::Fields<T>;
  static constexpr int dims = Dims, radius = Radius;
  std::uint32_t seed = 1;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const Cell& cell) const {
    constexpr int deep = Dims == 3 ? Radius : 0;
    T sum = 0;
    std::uint32_t number = seed + static_cast<std::uint32_t>(cell.index(0)) * 73856093U +
                           static_cast<std::uint32_t>(cell.index(1)) * 19349663U;
    if constexpr (Dims == 3) number += static_cast<std::uint32_t>(cell.index(2)) * 83492791U;
    for (int z = -deep; z <= deep; ++z)
      for (int y = -Radius; y <= Radius; ++y)
        for (int x = -Radius; x <= Radius; ++x) {
          number = number * 1664525U + 1013904223U;
          const auto drawn = static_cast<int>((number >> 16) % 24);
          if (drawn < 16) sum += (static_cast<T>(drawn) - T(7.5)) / 4 * cell(0, x, y, z);
        }
    return sum;
  }
};

/// Whether the grid of a case can be divided so.
template <class Rule>
bool fits(const RuleCase<Rule>& rule_case, const grid::Triple& ranks) {
  const bool periodic[3] = {rule_case.sides.periodic(0), rule_case.sides.periodic(1),
                            Rule::dims == 3 && rule_case.sides.periodic(2)};
  const grid::Index halo = Rule::radius;
  for (int dim = 0; dim < Rule::dims; ++dim)
    if (rule_case.cells[dim] < halo) return false;
  return !halo_width_problem(ranks, periodic, Rule::dims, {halo, halo, halo}, rule_case.cells);
}

/// Sides of all kinds that operators may have.
inline std::vector<stencil::SideRules> all_linear_sides(int dims) {
  using stencil::Outside;
  std::vector<stencil::SideRules> all = linear_sides(dims);
  for (const Outside& outside : {Outside::mirror(-1), Outside::value(3), Outside::outflow()})
    all.push_back(stencil::SideRules::everywhere(outside, dims));
  return all;
}

template <class Value, class... Properties>
std::vector<Value> on_host(const Kokkos::View<Value*, Properties...>& view) {
  const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return std::vector<Value>(mirror.data(), mirror.data() + mirror.extent(0));
}

}  // namespace haloheap::comm

#endif
