// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_TRANSFER_STREAMS_HPP
#define HALOHEAP_CORE_TRANSFER_STREAMS_HPP

#include <haloheap/core/backend/instance.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace haloheap::transfer {

/// What works side by side in a device: the copy engine of each direction, and the multiprocessors.
enum class Engine { h2d, kernel, d2h };

/// Something that a stream is to do. The bytes and operations only matter to an emulated link.
struct Operation {
  Engine engine = Engine::kernel;
  std::function<void(const backend::Exec&)> enqueue;  ///< puts the work into a queue, and returns
  std::size_t bytes = 0;                              ///< copied in the engine's direction
  double operations = 0;                              ///< of a kernel: what its rate counts
  std::size_t bytes_h2d = 0, bytes_d2h = 0;           ///< of a kernel: what it reads and writes over the link
  bool blocks = false;  ///< the host goes on after its end only: copies from and to pageable memory
  int chunk = 0;        ///< for traces
};

/// What an operation took, in seconds since the streams' last start().
struct TraceEvent {
  Engine engine = Engine::kernel;
  int stream = 0, chunk = 0;
  double begin = 0, end = 0;
};

/// Queues of a device: each does its work in order, and beside the others. Real ones, or those of an emulated
/// link, which do the same work and count the time that a link of given rates would take. Used by one thread.
class Streams {
 public:
  virtual ~Streams() = default;
  Streams() = default;
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  virtual int count() const = 0;
  virtual const backend::Exec& exec(int stream) const = 0;
  /// Whether the time is counted, not taken.
  virtual bool emulated() const = 0;

  /// All is idle, and the trace is empty from here on.
  virtual void start() = 0;
  virtual void enqueue(int stream, const Operation& operation) = 0;
  /// Work of the host itself on so many bytes, done at once.
  virtual void on_host(std::size_t bytes, const std::function<void()>& work) = 0;

  /// Remembers what is enqueued on `stream` so far, under a number of the caller's choice.
  virtual void mark(int stream, int slot) = 0;
  /// Blocks until that is done. Nothing if the slot was never marked.
  virtual void await(int slot) = 0;
  /// Stream `later` goes on when what `earlier` has so far is done; the host does not wait.
  virtual void order(int earlier, int later) = 0;

  /// Enqueues something that no engine is busy with, like giving back memory.
  virtual void after(int stream, const std::function<void(const backend::Exec&)>& work) = 0;

  /// Does what `issue` enqueues, which must be the same at each call: recorded once, and replayed as a graph.
  virtual void replay(const std::function<void()>& issue) = 0;

  /// What is enqueued from now on starts at release(), so that the host's time to enqueue it does not show.
  /// The host must not wait for it before. Nothing where work is done as it is enqueued.
  virtual void hold() = 0;
  /// Why hold() does nothing on a device; empty if it holds.
  virtual std::string not_held_reason() const { return ""; }
  virtual void release() = 0;

  /// Blocks until all is done.
  virtual void finish() = 0;
  /// Seconds on the host's clock, real or counted.
  virtual double now() const = 0;
  /// What was done since start(), as detailed as these were made for. Only when all is idle.
  virtual std::vector<TraceEvent> trace() const = 0;
};

}  // namespace haloheap::transfer

#endif
