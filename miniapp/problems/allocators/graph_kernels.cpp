// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/allocator_list.hpp>
#include <haloheap/allocators/choose_allocator.hpp>
#include <haloheap/allocators/fetch.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/allocators/graph_arrays.hpp>
#include <haloheap/miniapp/problems/allocators/graph_container.hpp>
#include <haloheap/miniapp/problems/allocators/graph_kernels.hpp>
#include <haloheap/miniapp/problems/allocators/timed_runs.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

using Exec = GraphBatch::Exec;
using Vertices = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::uint32_t>>;

template <class Reader>
struct FindRows {
  Reader graph;
  std::uint32_t* begin;
  KOKKOS_FUNCTION void operator()(std::uint32_t vertex, std::uint32_t& sum, bool last) const {
    if (last) begin[vertex] = sum;
    sum += graph.degree(vertex);
  }
};

template <class Reader>
struct CopyRows {
  Reader graph;
  const std::uint32_t* begin;
  std::uint32_t* targets;
  KOKKOS_FUNCTION void operator()(std::uint32_t vertex) const { graph.copy(vertex, targets + begin[vertex]); }
};

/// The whole graph on the host, by kernels: the host cannot reach every allocator's memory.
template <class Reader>
GraphRows rows_of(const Exec& exec, const std::shared_ptr<memory::MemoryResource>& memory,
                  const Reader& graph, std::uint32_t vertices) {
  const memory::Array<std::uint32_t> begin(memory, "haloheap::graph::rows_begin", vertices);
  std::uint32_t all = 0;
  Kokkos::parallel_scan("haloheap::graph::find_rows", Vertices(exec, 0, vertices),
                        FindRows<Reader>{graph, begin.view().data()}, all);
  const memory::Array<std::uint32_t> targets(memory, "haloheap::graph::rows_targets", all);
  Kokkos::parallel_for("haloheap::graph::copy_rows", Vertices(exec, 0, vertices),
                       CopyRows<Reader>{graph, begin.view().data(), targets.view().data()});
  GraphRows rows = {allocators::fetch(exec, begin.view().data(), vertices),
                    allocators::fetch(exec, targets.view().data(), all)};
  rows.begin.push_back(all);
  return rows;
}

/// Graph is GraphOfArrays or GraphInContainer.
template <class A, class Graph>
class GraphMeasurement {
 public:
  GraphMeasurement(const GraphSettings& settings, const HeapSetup& setup)
      : GraphMeasurement(settings, setup, GraphUpdates(settings.edges)) {}

  GraphRuns run(const std::function<void(int)>& progress) {
    GraphRuns result;
    const auto run_once = [&](bool last) {
      Kokkos::deep_copy(exec_, lost_.view(), std::uint64_t{0});
      GraphTimes times;
      times.initialise = add(initial_, true);
      if (last) result.initial_in_use = in_use();
      for (std::size_t i = 0; i < inserted_.size(); ++i) {
        times.update += add(inserted_[i], false);
        if (settings_.edges.deleted > 0) times.deletion += remove(deleted_[i]);
      }
      if (last) result.in_use = in_use();
      if (compacts()) times.compact = compact(result);
      if (last && compacts()) result.compacted_in_use = in_use();
      if (last && settings_.verify)
        result.rows = rows_of(exec_, memory_, graph_.reader(), settings_.edges.vertices);
      times.release = release();
      require_room();
      return times;
    };
    repeat_runs(
        settings_, result, run_once,
        [](const GraphTimes& times) { return times.total() + times.compact + times.release; }, progress);
    return result;
  }

 private:
  GraphMeasurement(const GraphSettings& settings, const HeapSetup& setup, const GraphUpdates& updates)
      : settings_(settings),
        exec_(setup.exec),
        memory_(setup.arrays),
        heap_(exec_, heap_config(settings.allocator, setup.pool)),
        graph_(exec_, memory_, settings.edges.vertices),
        initial_(exec_, memory_, updates.initial),
        lost_(memory_, "haloheap::graph::lost", 1) {
    for (const auto& edges : updates.inserted) inserted_.emplace_back(exec_, memory_, edges);
    for (const auto& edges : updates.deleted) deleted_.emplace_back(exec_, memory_, edges);
  }

  double add(const GraphBatch& batch, bool is_first) {
    return timer_([&] { graph_.add(exec_, heap_.handle(), batch, is_first, lost_.view().data()); });
  }

  double remove(const GraphBatch& batch) {
    return timer_([&] { graph_.remove(exec_, heap_.handle(), batch, settings_.allocator.promises.frees); });
  }

  /// A heap that frees nothing would only need more.
  bool compacts() const {
    return Graph::keeps_erased && settings_.edges.deleted > 0 && settings_.allocator.promises.frees;
  }

  double compact(GraphRuns& result) {
    if constexpr (Graph::keeps_erased)
      return timer_([&] { result.not_compacted = graph_.compact(exec_, heap_.handle()); });
    else
      return 0;
  }

  std::optional<std::size_t> in_use() const {
    if (!settings_.allocator.promises.resets) return std::nullopt;
    return heap_.statistics(exec_).in_use;
  }

  double release() {
    if (settings_.allocator.promises.frees) return timer_([&] { graph_.clear(exec_, heap_.handle()); });
    heap_.reset(exec_);
    graph_.forget(exec_);
    return 0;
  }

  void require_room() const {
    const std::uint64_t lost = allocators::fetch(exec_, lost_.view().data(), 1).front();
    if (lost == 0) return;
    throw OutOfMemory(
        static_cast<std::size_t>(lost) * sizeof(std::uint32_t),
        fmt::format("{} of {} edges found no room in lists from '{}'", lost, settings_.edges.made_count(),
                    settings_.allocator.name),
        "",
        fmt::format("use a larger allocator.pool, or another allocator if a list needs more than "
                    "{} bytes, the most that this one serves at once",
                    settings_.allocator.promises.largest));
  }

  const GraphSettings& settings_;
  Exec exec_;
  std::shared_ptr<memory::MemoryResource> memory_;
  A heap_;
  Graph graph_;
  GraphBatch initial_;
  std::vector<GraphBatch> inserted_, deleted_;
  memory::Array<std::uint64_t> lost_;
  KernelTimer timer_{exec_};
};

}  // namespace

std::size_t graph_array_bytes(const GraphSettings& settings) {
  const auto edges = static_cast<std::size_t>(settings.edges.count());
  const auto changes = static_cast<std::size_t>(settings.edges.made_count() + settings.edges.deleted_count());
  const std::size_t vertices = settings.edges.vertices;
  const std::size_t verified = settings.verify ? (vertices + edges) * sizeof(std::uint32_t) : 0;
  return vertices * sizeof(EdgeArray) + changes * GraphBatch::bytes_per_edge + verified +
         ((settings.edges.deleted > 0 ? 2 : 1) * static_cast<std::size_t>(settings.edges.batches) + 1) *
             sizeof(std::uint32_t) +
         sizeof(std::uint64_t);
}

GraphRuns run_graph(const GraphSettings& settings, const HeapSetup& setup,
                    const std::function<void(int)>& progress) {
  GraphRuns result;
  allocators::choose_allocator<allocators::DeviceAllocators>(settings.allocator.name, [&]<class A>() {
    if (settings.lists == GraphLists::container)
      result = GraphMeasurement<A, GraphInContainer>(settings, setup).run(progress);
    else
      result = GraphMeasurement<A, GraphOfArrays>(settings, setup).run(progress);
  });
  return result;
}

}  // namespace haloheap
