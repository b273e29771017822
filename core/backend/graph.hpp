// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_GRAPH_HPP
#define HALOHEAP_CORE_BACKEND_GRAPH_HPP

#include <haloheap/core/backend/instance.hpp>

#include <cstddef>
#include <functional>
#include <memory>

namespace haloheap::backend {

/// A sequence of kernels, copies and event dependences, recorded once and replayed with one call. What the
/// kernels point to must live as long as the graph.
class Graph {
 public:
  /// Calls `record`, which enqueues on `exec` and on instances that wait for it through events and that
  /// `exec` waits for in the end; nothing of it runs yet. `record` must not wait on the host or take memory.
  /// On host backends it is kept, and called at every launch. \throws what `record` throws; UsageError when
  /// it is empty or a kernel of it cannot be replayed; DeviceError
  Graph(const Exec& exec, std::function<void()> record);
  ~Graph();
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;

  /// Enqueues the whole sequence.
  void launch(const Exec& exec) const;
  /// Kernels, copies and the like in it; 0 on host backends.
  std::size_t nodes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace haloheap::backend

#endif
