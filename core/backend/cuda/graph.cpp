// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/cuda/check.hpp>
#include <haloheap/core/backend/graph.hpp>

#include <Kokkos_Core.hpp>

#include <vector>

namespace haloheap::backend {
namespace {

void destroy(cudaGraph_t graph) {
  if (graph != nullptr) cudaGraphDestroy(graph);
}

std::vector<cudaGraphNode_t> nodes_of(cudaGraph_t graph) {
  std::size_t count = 0;
  check(cudaGraphGetNodes(graph, nullptr, &count), "cudaGraphGetNodes");
  std::vector<cudaGraphNode_t> nodes(count);
  check(cudaGraphGetNodes(graph, nodes.data(), &count), "cudaGraphGetNodes");
  return nodes;
}

/// Kokkos hands functors of more than 512 bytes to the device through one host buffer, which a replay would
/// read again, with whatever functor is in it then. A template, so that Kokkos may do without the buffer.
template <class Internal>
bool uses_kokkos_staging(const std::vector<cudaGraphNode_t>& nodes, cudaStream_t stream) {
  if constexpr (requires { Internal::constantMemHostStagingPerDevice; }) {
    for (cudaGraphNode_t node : nodes) {
      cudaGraphNodeType type{};
      cudaMemcpy3DParms copy{};
      check(cudaGraphNodeGetType(node, &type), "cudaGraphNodeGetType");
      if (type != cudaGraphNodeTypeMemcpy) continue;
      check(cudaGraphMemcpyNodeGetParams(node, &copy), "cudaGraphMemcpyNodeGetParams");
      for (const auto& [device, staging] : Internal::constantMemHostStagingPerDevice) {
        if (copy.srcPtr.ptr != staging) continue;
        // Kokkos waits for this event at the next such kernel, which it cannot while the event is a graph's.
        check(cudaEventRecord(Internal::constantMemReusablePerDevice[device], stream), "cudaEventRecord");
        return true;
      }
    }
  }
  return false;
}

/// Runs `record` and gives what it enqueued. Thread-local mode: other threads go on as they like, but what a
/// replay would miss (waiting, taking memory) is an error in this one.
cudaGraph_t capture(cudaStream_t stream, const std::function<void()>& record) {
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  try {
    record();
  } catch (...) {
    cudaStreamEndCapture(stream, &graph);
    destroy(graph);
    (void)cudaGetLastError();  // the next unrelated call would report it
    throw;
  }
  const cudaError_t status = cudaStreamEndCapture(stream, &graph);
  if (status != cudaSuccess) {
    destroy(graph);
    (void)cudaGetLastError();
    check(status, "cudaStreamEndCapture");
  }
  return graph;
}

}  // namespace

struct Graph::Impl {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  std::size_t nodes = 0;

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (executable != nullptr) cudaGraphExecDestroy(executable);
    destroy(graph);
  }
};

Graph::Graph(const Exec& exec, std::function<void()> record) : impl_(std::make_unique<Impl>()) {
  if (!record) throw UsageError("there is no function to record", "the graph was not made", "pass one");
  impl_->graph = capture(exec.cuda_stream(), record);
  const std::vector<cudaGraphNode_t> nodes = nodes_of(impl_->graph);
  impl_->nodes = nodes.size();
  if (uses_kokkos_staging<Kokkos::Impl::CudaInternal>(nodes, exec.cuda_stream())) {
    throw UsageError("a recorded kernel's functor has more than 512 bytes", "Kokkos cannot replay it",
                     "launch it with backend::as_kernel_argument");
  }
  // Without the flag all kernels would have one priority, whatever that of their instances.
  check(cudaGraphInstantiate(&impl_->executable, impl_->graph, cudaGraphInstantiateFlagUseNodePriority),
        "cudaGraphInstantiate");
  check(cudaGraphUpload(impl_->executable, exec.cuda_stream()), "cudaGraphUpload");
}

Graph::~Graph() = default;
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;

void Graph::launch(const Exec& exec) const {
  check(cudaGraphLaunch(impl_->executable, exec.cuda_stream()), "cudaGraphLaunch");
}

std::size_t Graph::nodes() const {
  return impl_->nodes;
}

}  // namespace haloheap::backend
