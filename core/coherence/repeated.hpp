// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_REPEATED_HPP
#define HALOHEAP_CORE_COHERENCE_REPEATED_HPP

#include <haloheap/core/coherence/context.hpp>

#include <cstdint>
#include <functional>
#include <memory>

namespace haloheap::coherence {

/// Calls on containers that are made again and again, as one graph of the device:
///
///     Repeated step(context, [&] {
///       map_overlap(all_devices, "forth", b, Smooth{}, 1, Edge<double>{}, a);
///       map_overlap(all_devices, "back", a, Smooth{}, 1, Edge<double>{}, b);
///     });
///     step(1000);
///
/// The first repetitions are made as calls. As soon as one ends with the newest elements where they were when
/// it began, it is recorded: from then on a repetition is one launch, and costs the host no look at the
/// metadata, no event and no wait. Where the elements are elsewhere later, since the host wrote some, say,
/// the next repetitions are calls again.
///
/// The function makes the same calls each time, with the same operands and values; what it captures by value
/// is what it was. It may launch kernels of its own on Context::exec. It uses no elements on the host, waits
/// for nothing (so that `reduce`, whose result is on the host, and `farm`, which asks who is free, stay
/// outside), and makes no containers. While it runs no other thread uses the context.
///
/// Policies whose copies do not last take memory for each call: with them the calls are made as such, and so
/// they are in a context without devices.
class Repeated {
 public:
  /// \param context outlives it, as do the containers that `calls` uses
  Repeated(Context& context, std::function<void()> calls);
  ~Repeated();
  Repeated(const Repeated&) = delete;
  Repeated& operator=(const Repeated&) = delete;

  /// Makes the calls so many times. In an asynchronous context it returns before they are done, as a call
  /// does. \throws UsageError when they use the host, or do what they did not do before; what the calls throw
  void operator()(std::uint64_t times = 1);

  /// Repetitions so far that were launched as a graph.
  std::uint64_t launched() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace haloheap::coherence

#endif
