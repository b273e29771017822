// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GRAPH_BATCH_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GRAPH_BATCH_HPP

#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/miniapp/problems/allocators/graph_edges.hpp>

#include <memory>

namespace haloheap {

/// Edges that come together, for kernels: as they come, and by the vertex where they begin.
class GraphBatch {
 public:
  using Exec = Kokkos::DefaultExecutionSpace;

  /// Of each edge, at most: as it comes, its target, and a group with its end.
  static constexpr std::size_t bytes_per_edge = sizeof(Edge) + 3 * sizeof(std::uint32_t);

  struct Groups {
    const std::uint32_t *sources, *begin, *targets;
    int count;
  };

  GraphBatch(const Exec& exec, const std::shared_ptr<memory::MemoryResource>& memory,
             const std::vector<Edge>& edges)
      : GraphBatch(exec, memory, edges, EdgeGroups(edges)) {}

  int size() const { return static_cast<int>(edges_.size()); }
  const Edge* edges() const { return edges_.view().data(); }
  Groups groups() const {
    return {sources_.view().data(), begin_.view().data(), targets_.view().data(),
            static_cast<int>(sources_.size())};
  }

 private:
  GraphBatch(const Exec& exec, const std::shared_ptr<memory::MemoryResource>& memory,
             const std::vector<Edge>& edges, const EdgeGroups& groups)
      : edges_(uploaded(exec, memory, "haloheap::graph::edges", edges)),
        sources_(uploaded(exec, memory, "haloheap::graph::sources", groups.sources)),
        begin_(uploaded(exec, memory, "haloheap::graph::begin", groups.begin)),
        targets_(uploaded(exec, memory, "haloheap::graph::targets", groups.targets)) {
    exec.fence("haloheap::GraphBatch");
  }

  template <class T>
  static memory::Array<T> uploaded(const Exec& exec, const std::shared_ptr<memory::MemoryResource>& memory,
                                   const char* label, const std::vector<T>& values) {
    memory::Array<T> array(memory, label, values.size());
    if (!values.empty()) backend::copy_async(exec, array.data(), values.data(), values.size() * sizeof(T));
    return array;
  }

  memory::Array<Edge> edges_;
  memory::Array<std::uint32_t> sources_, begin_, targets_;
};

}  // namespace haloheap

#endif
