// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_COMM_HELPERS_HPP
#define HALOHEAP_UNIT_COMM_HELPERS_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/halo/deep_halo.hpp>
#include <haloheap/comm/paths/host/device_memory_probe.hpp>
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/stencil/initial_fill.hpp>
#include <haloheap/core/stencil/reference.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>

#include <cstdlib>
#include <functional>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace haloheap::testing {

/// The timeout of ranks whose peers all come, in seconds: longer than any of them is kept from the cores.
inline constexpr double long_timeout = 600;

/// What `action` throws, the whole text; empty if nothing.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Only the cause: the first line.
inline std::string cause_of(const std::function<void()>& action) {
  const std::string text = error_of(action);
  return text.substr(0, text.find('\n'));
}

/// No two coefficients alike, so that no two directions can be mistaken for each other; they sum to less than
/// one.
inline stencil::Stencil lopsided_stencil(int dims, stencil::StencilShape shape, int radius) {
  std::vector<double> coefficients(stencil::stencil_points(dims, shape, radius));
  const double n = static_cast<double>(coefficients.size());
  double next = 1;
  for (double& c : coefficients) c = (next += 1) * 1.9 / ((n + 2) * (n + 2));
  return stencil::custom_stencil(dims, shape, radius, coefficients);
}

/// What is computed, on any rank grid.
struct Problem {
  stencil::Stencil stencil;
  grid::Boundary boundary;
  grid::Triple cells;
  int quantities = 1;
  grid::Index steps = 11;

  stencil::InitialField initial() const {
    return {{.kind = stencil::InitialKind::random, .seed = 5}, boundary, stencil.dims, cells, quantities};
  }
  template <class T>
  std::vector<T> reference() const {
    return stencil::reference_solution<T>(initial(), stencil, boundary, cells, quantities, steps);
  }
  comm::GridProblem on(const comm::Communicator& world, const grid::Triple& ranks) const {
    const bool periodic[3] = {boundary.periodic(0), boundary.periodic(1), boundary.periodic(2)};
    return {stencil, boundary, cells, comm::Topology::make(world.rank(), ranks, periodic), quantities};
  }
  bool fits(const grid::Triple& ranks, int depth) const {
    const bool periodic[3] = {boundary.periodic(0), boundary.periodic(1), boundary.periodic(2)};
    const grid::Index halo = grid::Index{depth} * stencil.radius;
    return !comm::halo_width_problem(ranks, periodic, stencil.dims, {halo, halo, halo}, cells);
  }
};

/// The own cells of this rank in the order of reference_solution: all that must agree, and nothing else.
template <class T>
std::vector<T> own_part(const std::vector<T>& reference, const grid::Triple& cells, int quantities,
                        const grid::Box& own) {
  std::vector<T> part;
  for (grid::Index quantity = 0; quantity < quantities; ++quantity)
    for_each_cell(own, [&](const grid::Triple& c) {
      part.push_back(
          reference[static_cast<std::size_t>(((quantity * cells.z + c.z) * cells.y + c.y) * cells.x + c.x)]);
    });
  return part;
}

/// A run of DeepHalo from random values. Whatever is not set is NaN, so that a cell which nobody computed is
/// seen.
template <class T>
class DeepHaloRun {
 public:
  DeepHaloRun(const comm::Communicator& world, const Problem& problem, const grid::Triple& ranks,
              comm::DeepHaloConfig config, const std::string& fields = "device",
              double timeout = long_timeout)
      : problem_(problem.on(world, ranks)),
        layout_(problem_.layout(config.depth, sizeof(T))),
        now_(memory::make_memory_resource(fields), "haloheap::unit::now",
             static_cast<std::size_t>(layout_.size())),
        next_(memory::make_memory_resource(fields), "haloheap::unit::next",
              static_cast<std::size_t>(layout_.size())) {
    config.halo.timeout = timeout;
    if (!config.halo.buffers) config.halo.buffers = memory::make_memory_resource("device");
    to_device(std::vector<T>(next_.size(), std::numeric_limits<T>::quiet_NaN()), next_);
    const Kokkos::DefaultExecutionSpace exec;
    stencil::InitialFill<T>(problem.initial(), layout_, problem_.own()).run(exec, now_.data());
    exec.fence("haloheap::unit::start");
    stepper_.emplace(world, problem_, config, now_.data(), next_.data());
  }

  comm::DeepHalo<T>& stepper() { return *stepper_; }

  std::vector<T> own_cells() {
    stepper_->finish();
    const auto all = to_host(stepper_->now() == now_.data() ? now_ : next_);
    std::vector<T> part;
    for (int quantity = 0; quantity < layout_.quantities; ++quantity)
      for_each_cell(layout_.own_box(), [&](const grid::Triple& c) {
        part.push_back(all[static_cast<std::size_t>(layout_.at(c, quantity))]);
      });
    return part;
  }

  /// Empty if this rank's own cells have the bits of the reference.
  std::string compare(const std::vector<T>& reference) {
    return difference(own_cells(), own_part(reference, problem_.cells, problem_.quantities, problem_.own()));
  }

 private:
  comm::GridProblem problem_;
  grid::FieldLayout layout_;
  memory::Array<T> now_, next_;
  std::optional<comm::DeepHalo<T>> stepper_;
};

inline grid::Boundary boundary_of(grid::BoundaryKind x_low, grid::BoundaryKind x_high,
                                  grid::BoundaryKind y_low, grid::BoundaryKind y_high,
                                  grid::BoundaryKind z_low, grid::BoundaryKind z_high) {
  return {{x_low, y_low, z_low}, {x_high, y_high, z_high}, 0.3125};
}

/// Periodic, Dirichlet, Neumann and two mixtures.
inline std::vector<grid::Boundary> boundaries() {
  const auto p = grid::BoundaryKind::periodic, d = grid::BoundaryKind::dirichlet,
             n = grid::BoundaryKind::neumann;
  return {boundary_of(p, p, p, p, p, p), boundary_of(d, d, d, d, d, d), boundary_of(n, n, n, n, n, n),
          boundary_of(d, n, p, p, n, d), boundary_of(p, p, n, d, d, d)};
}

/// Whether gpu_aware can be tested: HALOHEAP_TEST_GPU_AWARE=1 says that MPI can although it denies it.
inline bool mpi_takes_device_memory() {
  const char* const forced = std::getenv("HALOHEAP_TEST_GPU_AWARE");
  return backend::kernels_on_host || forced || comm::mpi_cuda_support().value_or(false);
}

/// Why a transport cannot be tested here; empty if it can.
inline std::string unavailable_reason(const std::string& transport) {
  if (transport == "gpu_aware" && !mpi_takes_device_memory())
    return "this MPI library does not take device memory";
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (transport == "nccl" && ranks > backend::device_count()) return "NCCL takes one rank a device";
  return "";
}

/// All transports that can be had here and whose result means something.
inline std::vector<std::string> transport_names() {
  std::vector<std::string> names;
  for (const comm::TransportInfo& info : comm::transports())
    if (info.delivers && unavailable_reason(info.name).empty()) names.push_back(info.name);
  return names;
}

/// Of transport_names() those whose messages MPI takes from buffers of the host.
inline std::vector<std::string> host_buffered_transports() {
  std::vector<std::string> names = transport_names();
  std::erase_if(names, [](const std::string& name) {
    const comm::TransportInfo& info = comm::transport_info(name);
    return info.carrier != comm::Carrier::mpi || info.places.host.empty();
  });
  return names;
}

/// Message modes with requests for each message, of those that every MPI library has.
inline std::vector<std::string> request_modes() {
  std::vector<std::string> names;
  for (const comm::MessageMode& mode : comm::message_modes())
    if (mode.passes_messages() && !mode.collective && mode.nearest.empty()) names.push_back(mode.name);
  return names;
}

/// One way for halos to be sent.
struct Path {
  std::string transport;
  std::string mpi = "persistent";
  bool graph = false;
  int ranks_per_node = 0;

  void apply(comm::DeepHaloConfig& config) const {
    config.halo.transport = transport;
    config.halo.mpi = mpi;
    config.halo.ranks_per_node = ranks_per_node;
    config.halo.force_gpu_aware = true;
    config.graph = graph;
  }
  std::string describe() const {
    return transport + ", " + mpi + (graph ? ", graph" : "") +
           (ranks_per_node > 0 ? ", " + std::to_string(ranks_per_node) + " ranks a node" : "");
  }
};

inline void PrintTo(const Path& path, std::ostream* out) {
  *out << path.describe();
}

/// A path for each of transport_names(), and those without messages.
inline std::vector<Path> plain_paths() {
  std::vector<Path> all;
  for (const std::string& name : transport_names()) {
    all.push_back({name});
    if (comm::transport_info(name).shared) all.push_back({name, comm::shared_memory});
  }
  return all;
}

/// Of plain_paths() one with messages of MPI, as those differ only in where their buffers lie, and all
/// others.
inline std::vector<Path> different_paths() {
  std::vector<Path> few;
  bool by_mpi = false;
  for (const Path& path : plain_paths())
    if (comm::transport_info(path.transport, path.mpi).carrier != comm::Carrier::mpi ||
        !std::exchange(by_mpi, true))
      few.push_back(path);
  return few;
}

/// All ways that this build, this MPI library and this machine have.
inline std::vector<Path> paths(comm::Exchange exchange) {
  std::vector<Path> all;
  for (const Path& path : plain_paths()) {
    const comm::TransportInfo& info = comm::transport_info(path.transport, path.mpi);
    if (info.carrier != comm::Carrier::mpi) {
      all.push_back({path.transport, path.mpi, false});
      if (info.reach == comm::Reach::node) all.push_back({path.transport, path.mpi, true});  // no host
      continue;
    }
    for (const comm::MessageMode& mode : comm::message_modes())
      if (mode.make && mode.unavailable_reason().empty() &&
          (!mode.along_lines || exchange == comm::Exchange::sync))
        all.push_back({path.transport, mode.name});
  }
  for (const int ranks_per_node : {0, 1, 2}) all.push_back({"auto", "persistent", false, ranks_per_node});
  return all;
}

}  // namespace haloheap::testing

#endif
