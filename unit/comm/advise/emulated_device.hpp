// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_COMM_ADVISE_EMULATED_DEVICE_HPP
#define HALOHEAP_UNIT_COMM_ADVISE_EMULATED_DEVICE_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

namespace haloheap::comm::test {

/// The time of a host and a device with two streams: the host issues operations, each of which costs it some
/// time, and may wait for one; a stream does its operations one after the other; each engine does one at a
/// time, but kernels of the border stream push those of the compute stream aside. Events are played in the
/// order of time.
class EmulatedDevice {
 public:
  enum Stream { compute, border };
  enum Engine { kernels, up, down, links };
  using Id = std::size_t;

  /// @param submit seconds of the host for each operation
  explicit EmulatedDevice(double submit) : submit_(submit) {}

  /// Issues an operation behind all of its stream and, if given, behind another one.
  Id enqueue(Stream stream, Engine engine, double seconds, const std::vector<Id>& behind = {}) {
    host_ += recording_ ? 0 : submit_;
    operations_.push_back({engine, seconds, host_, never, behind});
    queues_[stream].waiting.push_back(operations_.size() - 1);
    return operations_.size() - 1;
  }
  /// The latest operation of a stream; what waits for it waits for all before.
  std::vector<Id> last(Stream stream) const {
    const auto& all = queues_[stream].waiting;
    return all.empty() ? std::vector<Id>{} : std::vector<Id>{all.back()};
  }

  /// One call issues all that `issue` does.
  template <class Issue>
  void replay(double seconds, const Issue& issue) {
    host_ += seconds;
    recording_ = true;
    issue();
    recording_ = false;
  }

  void host_works(double seconds) { host_ += seconds; }
  void host_waits_for(const std::vector<Id>& ids) {
    for (const Id id : ids) {
      while (operations_[id].end == never) play();
      host_ = std::max(host_, operations_[id].end);
    }
  }
  double finish() {
    for (const Stream stream : {compute, border}) host_waits_for(last(stream));
    return host_;
  }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();
  struct Operation {
    Engine engine;
    double left, issued, end;
    std::vector<Id> behind;
  };
  struct Queue {
    std::vector<Id> waiting;  // all that were issued
    std::size_t next = 0;     // the one that runs or is to run
    bool runs = false;
  };

  Operation& head(Queue& queue) { return operations_[queue.waiting[queue.next]]; }
  bool idle(const Queue& queue) const { return queue.next == queue.waiting.size(); }

  /// When the first of a stream may start, as far as is known.
  double ready(Queue& queue) {
    double time = head(queue).issued;
    for (const Id id : head(queue).behind) time = std::max(time, operations_[id].end);
    return time;
  }

  /// Whether the stream's operation stands still, because the other one's has its engine.
  bool held(int stream) {
    Queue& other = queues_[1 - stream];
    if (!other.runs || head(other).engine != head(queues_[stream]).engine) return false;
    return stream == compute || head(other).engine != kernels;
  }

  /// To the next start or end of an operation.
  void play() {
    double next = never;
    for (const int stream : {1, 0}) {
      Queue& queue = queues_[static_cast<std::size_t>(stream)];
      if (idle(queue)) continue;
      if (!queue.runs && ready(queue) <= now_ && !held(stream)) queue.runs = true;
    }
    for (const int stream : {0, 1}) {
      Queue& queue = queues_[static_cast<std::size_t>(stream)];
      if (idle(queue)) continue;
      if (queue.runs && !(stream == compute && held(stream))) next = std::min(next, now_ + head(queue).left);
      if (!queue.runs && ready(queue) > now_) next = std::min(next, ready(queue));
    }
    const double passed = next - now_;
    for (const int stream : {0, 1}) {
      Queue& queue = queues_[static_cast<std::size_t>(stream)];
      if (!idle(queue) && queue.runs && !(stream == compute && held(stream))) head(queue).left -= passed;
    }
    now_ = next;
    for (Queue& queue : queues_) {
      if (idle(queue) || !queue.runs || head(queue).left > 1e-15) continue;
      head(queue).end = now_;
      queue.runs = false;
      ++queue.next;
    }
  }

  double submit_, host_ = 0, now_ = 0;
  bool recording_ = false;
  std::vector<Operation> operations_;
  std::array<Queue, 2> queues_;
};

}  // namespace haloheap::comm::test

#endif
