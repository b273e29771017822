// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_DEEP_HALO_CONFIG_HPP
#define HALOHEAP_COMM_HALO_DEEP_HALO_CONFIG_HPP

#include <haloheap/comm/exchange.hpp>
#include <haloheap/comm/halo/grid.hpp>
#include <haloheap/comm/halo/halo_exchange_config.hpp>
#include <haloheap/comm/halo_problem.hpp>
#include <haloheap/core/grid/boundary.hpp>
#include <haloheap/core/stencil/residual.hpp>
#include <haloheap/core/stencil/stencil.hpp>

#include <optional>

namespace haloheap::comm {

/// What of a cycle runs. Parts compute nothing meaningful: they are there to be timed.
enum class Part {
  all,
  exchange,  ///< nothing else
  interior,  ///< what overlaps the exchange, and nothing else
};

struct DeepHaloConfig {
  int depth = 1;  ///< steps an exchange; the halo is depth * radius cells wide
  /// Steps of one pass over memory at most, from 1 to depth. The passes of a cycle are as even as can be: see
  /// pass_of.
  int fused_steps = 1;
  Redundant redundant = Redundant::shrinking;  ///< whole: with single steps alone
  Exchange exchange = Exchange::sync;
  MessagesPer messages = MessagesPer::neighbour;
  Overlap overlap = Overlap::none;
  HaloExchangeConfig halo = {};
  bool phases = true;  ///< record phase times; a graph has none
  /// Record two exchanges with their sub-steps once, and replay them with one call. Needs transports without
  /// a host in the loop.
  bool graph = false;
  Part part = Part::all;
  /// Sum the squared differences of every step, or of each `residual_interval`-th one. With fused_steps > 1
  /// such a step is the last one before an exchange: the interval is a multiple of `depth`. Of stencils, and
  /// of rules with stencil::measuring<stencil::Residual>, its pass sums on the way, but in three dimensions
  /// on a device; else the step is a pass by itself.
  std::optional<stencil::ResidualScale> residual = std::nullopt;
  int residual_interval = 1;
};

/// What is computed: one stencil on one rank's subdomain of a grid.
struct GridProblem {
  stencil::Stencil stencil;
  grid::Boundary boundary;
  grid::Triple cells;  ///< the global grid
  Topology topology;
  int quantities = 1;

  Grid grid() const { return {stencil.dims, cells, topology}; }
  grid::Box own() const { return grid().own(); }
  grid::FieldLayout layout(int depth, std::size_t element_bytes) const {
    return grid().layout(grid::Index{depth} * stencil.radius, quantities, element_bytes);
  }
};

namespace detail {

/// What a deep halo needs to know of a computation, besides how it is done.
struct StepFacts {
  int radius = 1, max_fused_steps = 1;
  bool mirrors[3] = {};  ///< cells outside in this dimension have values of cells as far inside
};

StepFacts facts_of(const GridProblem& problem);
std::optional<HaloProblem> problem_of(const Grid& grid, const StepFacts& facts, const DeepHaloConfig& config);

}  // namespace detail

/// What is wrong with the sides of a grid alone.
std::optional<HaloProblem> side_problem(const grid::Boundary& boundary, int dims);

/// What forbids to run this problem so, as far as it can be known before anything is made; nothing if all is
/// well. Names of transports and message modes that there are not are left to whoever looks them up.
std::optional<HaloProblem> problem_of(const GridProblem& problem, const DeepHaloConfig& config);

}  // namespace haloheap::comm

#endif
