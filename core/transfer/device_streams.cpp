// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/backend/launch.hpp>
#include <haloheap/backend/signal.hpp>
#include <haloheap/core/backend/graph.hpp>
#include <haloheap/core/backend/launch_blocking.hpp>
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/transfer/device_streams.hpp>

#include <deque>
#include <map>
#include <optional>

namespace haloheap::transfer {
namespace {

using backend::Event;

/// Keeps streams from their work until a signal of the host. Kernels wait at most so long, so that a program
/// that fails in between comes to an end.
constexpr double longest_hold = 10;  // seconds

struct AwaitGate {
  const backend::Signal* signal;
  backend::Signal value;
  KOKKOS_FUNCTION void operator()(int) const { backend::await_signal(signal, value, longest_hold, nullptr); }
};

class Gate {
 public:
  void close(const backend::Exec& exec) {
    Kokkos::parallel_for("haloheap::transfer::hold", Kokkos::RangePolicy<backend::Exec>(exec, 0, 1),
                         AwaitGate{signal_.view().data(), passed_ + 1});
  }
  void open() { backend::raise_signal(signal_.data(), ++passed_); }

 private:
  static memory::Array<backend::Signal> made() {
    memory::Array<backend::Signal> signal(memory::make_memory_resource("pinned"), "haloheap::transfer::hold",
                                          1);
    *signal.data() = 0;
    return signal;
  }

  memory::Array<backend::Signal> signal_ = made();
  backend::Signal passed_ = 0;
};

class DeviceStreams final : public Streams {
 public:
  DeviceStreams(int count, Trace trace) : tracing_(trace), begun_(static_cast<std::size_t>(count)) {
    for (int i = 0; i < count; ++i) instances_.emplace_back(backend::Priority::low);
  }

  int count() const override { return static_cast<int>(instances_.size()); }
  const backend::Exec& exec(int stream) const override {
    return instances_[static_cast<std::size_t>(stream)].exec();
  }
  bool emulated() const override { return false; }

  void start() override {
    finish();
    traced_.clear();
    begun_.assign(begun_.size(), nullptr);
    if (tracing_ == Trace::off) return;
    started_.emplace(backend::Timing::on);
    started_->record(exec(0));
    started_->wait_on_host();
  }

  void enqueue(int stream, const Operation& operation) override {
    if (tracing_ == Trace::off || recording_) return operation.enqueue(exec(stream));
    Traced*& begun = begun_[static_cast<std::size_t>(stream)];
    if (tracing_ == Trace::operations || begun == nullptr) begun = &begin(stream, operation);
    operation.enqueue(exec(stream));
    if (tracing_ == Trace::operations) begun->end.record(exec(stream));
  }

  void on_host(std::size_t /*bytes*/, const std::function<void()>& work) override { work(); }

  void mark(int stream, int slot) override { marks_[slot].record(exec(stream)); }
  void await(int slot) override {
    if (const auto mark = marks_.find(slot); mark != marks_.end()) mark->second.wait_on_host();
  }
  void order(int earlier, int later) override {
    if (earlier == later) return;
    between_.record(exec(earlier));
    between_.wait_on(exec(later));
  }

  void after(int stream, const std::function<void(const backend::Exec&)>& work) override {
    work(exec(stream));
  }

  void replay(const std::function<void()>& issue) override {
    if (!graph_) {
      graph_.emplace(exec(0), [this, issue] {
        recording_ = true;  // a graph's events have no time
        for (int i = 1; i < count(); ++i) order(0, i);
        issue();
        for (int i = 1; i < count(); ++i) order(i, 0);
        recording_ = false;
      });
    }
    graph_->launch(exec(0));
  }

  void hold() override {
    if (backend::kernels_on_host || !launches_block_.empty()) return;
    if (!gate_) gate_.emplace();
    for (int i = 0; i < count(); ++i) gate_->close(exec(i));
  }
  std::string not_held_reason() const override { return launches_block_; }
  void release() override {
    if (gate_) gate_->open();
  }

  void finish() override {
    if (tracing_ == Trace::streams)
      for (Traced* begun : begun_)
        if (begun != nullptr) begun->end.record(exec(begun->span.stream));
    for (const auto& instance : instances_)
      backend::fence(instance.exec(), "haloheap::transfer::Streams::finish");
  }
  double now() const override { return base::steady_seconds(); }
  std::vector<TraceEvent> trace() const override {
    std::vector<TraceEvent> spans;
    for (const Traced& traced : traced_) {
      spans.push_back(traced.span);
      spans.back().begin = seconds_between(*started_, traced.begin);
      spans.back().end = seconds_between(*started_, traced.end);
    }
    return spans;
  }

 private:
  struct Traced {
    TraceEvent span;
    Event begin{backend::Timing::on}, end{backend::Timing::on};
  };

  Traced& begin(int stream, const Operation& operation) {
    Traced& traced = traced_.emplace_back();
    traced.span = {operation.engine, stream, operation.chunk};
    traced.begin.record(exec(stream));
    return traced;
  }

  Trace tracing_;
  std::string launches_block_ = backend::launches_block_reason();
  bool recording_ = false;
  std::deque<backend::Instance> instances_;
  std::optional<Event> started_;
  std::deque<Traced> traced_;
  std::vector<Traced*> begun_;  // by stream: what was begun last; null: nothing since start()
  std::map<int, Event> marks_;
  Event between_;
  std::optional<backend::Graph> graph_;
  std::optional<Gate> gate_;
};

}  // namespace

std::unique_ptr<Streams> make_device_streams(int count, Trace trace) {
  return std::make_unique<DeviceStreams>(count, trace);
}

}  // namespace haloheap::transfer
