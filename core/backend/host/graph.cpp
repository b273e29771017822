// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/graph.hpp>
#include <haloheap/core/base/error.hpp>

#include <utility>

namespace haloheap::backend {

struct Graph::Impl {
  std::function<void()> record;
};

Graph::Graph(const Exec&, std::function<void()> record) : impl_(std::make_unique<Impl>()) {
  if (!record) throw UsageError("there is no function to record", "the graph was not made", "pass one");
  impl_->record = std::move(record);
}

Graph::~Graph() = default;
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;

void Graph::launch(const Exec&) const {
  impl_->record();
}

std::size_t Graph::nodes() const {
  return 0;
}

}  // namespace haloheap::backend
