// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_DEEP_HALO_CONFIG_HPP
#define HALOHEAP_COMM_HALO_DEEP_HALO_CONFIG_HPP

#include <haloheap/comm/exchange.hpp>
#include <haloheap/comm/halo_problem.hpp>
#include <haloheap/comm/topology.hpp>
#include <haloheap/core/grid/boundary.hpp>
#include <haloheap/core/memory/resource.hpp>
#include <haloheap/core/stencil/residual.hpp>
#include <haloheap/core/stencil/stencil.hpp>

#include <memory>
#include <optional>
#include <string>

namespace haloheap::comm {

struct HaloExchangeConfig {
  std::string transport = "pinned";  ///< a name from transports(), or "auto"
  std::string mpi = "persistent";    ///< a name from message_modes(), for transports that use MPI
  bool force_gpu_aware = false;      ///< hand device pointers to MPI though its query says no
  int ranks_per_node = 0;            ///< pretend that so many ranks make a node; 0: ask MPI
  std::shared_ptr<memory::MemoryResource>
      buffers;                     ///< device-accessible memory for packed bytes; null: the device's
  double timeout = 60;             ///< seconds
  bool desynchronisation = false;  ///< time a barrier before each message phase
  /// A promise that saves devices a handshake: between two exchanges nothing touches the halo of the field
  /// that is not exchanged first. True for single steps from one field to the other. Neighbours then store
  /// into that halo as soon as they begin the next exchange, however late this rank is: whoever writes there
  /// all the same (a new start value in the whole field, say) races with them, unless all ranks call
  /// HaloExchange::forget_last between these two exchanges.
  bool alternating = false;
};

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
  Exchange exchange = Exchange::sync;
  Overlap overlap = Overlap::none;
  HaloExchangeConfig halo;
  bool phases = true;  ///< record phase times; a graph has none
  /// Record two exchanges with their sub-steps once, and replay them with one call. Needs transports without
  /// a host in the loop.
  bool graph = false;
  Part part = Part::all;
  std::optional<stencil::ResidualScale> residual =
      std::nullopt;  ///< sum the squared differences of every step
};

/// The whole grid, and this rank's part of it.
struct Grid {
  int dims = 2;
  grid::Triple cells;  ///< of the whole grid; 1 in z in 2D
  Topology topology;   ///< which ranks have it, and in which dimensions it wraps around

  grid::Box own() const;
  /// Of fields with a halo of so many cells. @param quantities values a cell
  grid::FieldLayout layout(grid::Index halo, int quantities, std::size_t element_bytes) const;
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

std::optional<HaloProblem> problem_of(const Grid& grid, const StepFacts& facts, const DeepHaloConfig& config);

}  // namespace detail

/// What forbids to run this problem so, as far as it can be known before anything is made; nothing if all is
/// well. Names of transports and message modes that there are not are left to whoever looks them up.
std::optional<HaloProblem> problem_of(const GridProblem& problem, const DeepHaloConfig& config);

}  // namespace haloheap::comm

#endif
