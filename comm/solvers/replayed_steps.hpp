// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_REPLAYED_STEPS_HPP
#define HALOHEAP_COMM_SOLVERS_REPLAYED_STEPS_HPP

#include <haloheap/core/backend/graph.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace haloheap::comm::detail {

/// Small kernels that are enqueued in the same way many times: from the second time on those between which
/// the host has nothing to do come from a graph, since launching each takes longer than it runs.
class ReplayedSteps {
 public:
  using Exec = backend::Exec;
  /// Enqueues on the instance that it is given; with other values each time only where the host takes part.
  using Step = std::function<void(const Exec&)>;
  enum class Host { stays_out, takes_part };

  /// @param host whether the step waits or needs the host in another way, so that no graph can hold it
  void add(Host host, Step step);
  /// Enqueues all steps, in the order in which they were added.
  void run(const Exec& exec);
  /// Graphs there are by now.
  int graphs() const;

 private:
  struct Part {
    Host host;
    std::vector<Step> steps;
    std::optional<backend::Graph> graph;
  };

  void enqueue(const Part& part) const;
  void record(std::size_t number);

  std::vector<Part> parts_;
  /// Where steps enqueue. A graph is recorded on an instance of its own, since a caller's may be one that
  /// cannot be recorded; hosts, which have no graphs, enqueue on the caller's.
  const Exec* exec_ = nullptr;
  std::optional<backend::Instance> recorder_;
};

}  // namespace haloheap::comm::detail

#endif
