// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/graph.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/coherence/element_store.hpp>
#include <haloheap/core/coherence/repeated.hpp>

#include <optional>
#include <utility>

namespace haloheap::coherence {

struct Repeated::Impl {
  /// A graph of the calls, and what the directory knew before and after it.
  struct Recording {
    backend::Graph graph;
    detail::Snapshot before, after;
  };

  Impl(Context& given, std::function<void()> function)
      : context(given), store(given), calls(std::move(function)) {}

  bool ready() const { return recording && store.is_at(recording->before, called); }

  void call() {
    const detail::Snapshot before = store.snapshot();
    settled.reset();
    store.watch();
    calls();
    called = store.called();
    if (context.devices() == 0) return;
    if (const std::string obstacle = store.obstacle(); !obstacle.empty())
      throw UsageError("calls are repeated that no graph can make: " + obstacle,
                       "they were made once, and are not repeated",
                       "leave out what the host needs, or make the calls without Repeated");
    if (!store.memory_changed() && store.is_at(before, called)) settled = before;
  }

  bool can_record() const { return settled && store.is_at(*settled, called); }

  void record() {
    settled.reset();
    store.drain();
    const detail::Snapshot before = store.snapshot();
    try {
      backend::Graph graph(context.exec(0), [this] { store.enqueue_as_one(calls); });
      const detail::Snapshot after = store.snapshot();
      const bool same = store.is_at(before, called);
      store.take_back(before, !same);
      if (same) recording.emplace(Recording{std::move(graph), before, after});
    } catch (...) {
      store.take_back(before, true);
      throw;
    }
  }

  void launch(std::uint64_t times) {
    store.launch_recorded(
        [&] {
          for (std::uint64_t i = 0; i < times; ++i) recording->graph.launch(context.exec(0));
        },
        recording->before, recording->after, times);
    launched += times;
  }

  Context& context;
  detail::ElementStore store;
  std::function<void()> calls;
  std::optional<detail::Snapshot> settled;  // where the last call ended as it had begun
  std::vector<bool> called;                 // containers, by number
  std::optional<Recording> recording;
  std::uint64_t launched = 0;
};

Repeated::Repeated(Context& context, std::function<void()> calls)
    : impl_(std::make_unique<Impl>(context, std::move(calls))) {
  if (!impl_->calls) throw UsageError("there are no calls to repeat");
}

Repeated::~Repeated() = default;

void Repeated::operator()(std::uint64_t times) {
  while (times > 0) {
    if (!impl_->ready() && impl_->can_record()) impl_->record();
    if (impl_->ready()) return impl_->launch(times);
    impl_->call();
    --times;
  }
}

std::uint64_t Repeated::launched() const {
  return impl_->launched;
}

}  // namespace haloheap::coherence
