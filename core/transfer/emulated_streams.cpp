// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/transfer/emulated_streams.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <map>

namespace haloheap::transfer {
namespace {

class EmulatedStreams final : public Streams {
 public:
  EmulatedStreams(int count, const LinkModel& link)
      : link_(link), stream_free_(static_cast<std::size_t>(count)) {}

  int count() const override { return static_cast<int>(stream_free_.size()); }
  const backend::Exec& exec(int /*stream*/) const override { return exec_; }
  bool emulated() const override { return true; }

  void start() override {
    finish();
    trace_.clear();
    started_ = host_;
  }

  void enqueue(int stream, const Operation& operation) override {
    if (!replaying_ && !held_) host_ += link_.submit;
    double& stream_free = stream_free_[static_cast<std::size_t>(stream)];
    double& engine_free = engine_free_[static_cast<std::size_t>(operation.engine)];
    const double begin = std::max({host_, stream_free, engine_free});
    const double end = begin + seconds(operation);
    stream_free = engine_free = end;
    pending_.emplace(end, operation.enqueue);
    trace_.push_back({operation.engine, stream, operation.chunk, begin - started_, end - started_});
    if (operation.blocks) wait_until(end);
  }

  void on_host(std::size_t bytes, const std::function<void()>& work) override {
    wait_until(host_);
    work();
    host_ += static_cast<double>(bytes) / link_.host_copy;
  }

  void mark(int stream, int slot) override { marks_[slot] = stream_free_[static_cast<std::size_t>(stream)]; }
  void await(int slot) override {
    if (const auto mark = marks_.find(slot); mark != marks_.end()) wait_until(mark->second);
  }
  void order(int earlier, int later) override {
    double& free = stream_free_[static_cast<std::size_t>(later)];
    free = std::max(free, stream_free_[static_cast<std::size_t>(earlier)]);
  }

  void after(int stream, const std::function<void(const backend::Exec&)>& work) override {
    pending_.emplace(stream_free_[static_cast<std::size_t>(stream)], work);
  }

  void replay(const std::function<void()>& issue) override {
    host_ += link_.submit;
    replaying_ = true;
    issue();
    replaying_ = false;
  }

  void hold() override { held_ = true; }
  void release() override { held_ = false; }

  void finish() override { wait_until(*std::max_element(stream_free_.begin(), stream_free_.end())); }
  double now() const override { return host_; }
  std::vector<TraceEvent> trace() const override { return trace_; }

 private:
  double seconds(const Operation& operation) const {
    const auto over = [](std::size_t bytes, double rate) { return static_cast<double>(bytes) / rate; };
    switch (operation.engine) {
      case Engine::h2d:
        return link_.h2d.latency +
               over(operation.bytes, operation.blocks ? link_.pageable_h2d : link_.h2d.rate);
      case Engine::d2h:
        return link_.d2h.latency +
               over(operation.bytes, operation.blocks ? link_.pageable_d2h : link_.d2h.rate);
      default:
        return link_.kernel.latency + operation.operations / link_.kernel.rate +
               over(operation.bytes_h2d, link_.h2d.rate) + over(operation.bytes_d2h, link_.d2h.rate);
    }
  }

  /// Does what has ended by then, in the order of the ends.
  void wait_until(double time) {
    host_ = std::max(host_, time);
    while (!pending_.empty() && pending_.begin()->first <= host_) {
      const auto work = std::move(pending_.begin()->second);
      pending_.erase(pending_.begin());
      work(exec_);
    }
  }

  LinkModel link_;
  backend::Exec exec_;
  double host_ = 0, started_ = 0;
  bool replaying_ = false, held_ = false;
  std::vector<double> stream_free_;
  std::array<double, 3> engine_free_{};
  std::map<int, double> marks_;
  std::multimap<double, std::function<void(const backend::Exec&)>> pending_;
  std::vector<TraceEvent> trace_;
};

}  // namespace

std::unique_ptr<Streams> make_emulated_streams(int count, const LinkModel& link) {
  if (!backend::kernels_on_host)
    throw CapabilityError("a link is emulated where kernels run on the host, and here they run on a device",
                          "nothing was transferred", "use the real link, or a build for the CPU");
  return std::make_unique<EmulatedStreams>(count, link);
}

}  // namespace haloheap::transfer
