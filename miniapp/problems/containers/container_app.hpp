// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_CONTAINER_APP_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_CONTAINER_APP_HPP

#include <haloheap/core/coherence/context.hpp>
#include <haloheap/miniapp/report/result.hpp>
#include <haloheap/miniapp/report/spread.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace haloheap {

/// What Table 1 of the paper needs to be compared: its rows are sums over sizes that it does not give, but in
/// these units they are numbers of vectors.
struct ReplicatedWork {
  std::string application;  ///< "lu", "nbody" or "sph"
  double vector_bytes = 0;  ///< of one vector
  double calls = 0;         ///< in which every device reads all of a vector whose parts devices wrote
};

/// An application on smart containers.
class ContainerApp {
 public:
  virtual ~ContainerApp() = default;

  /// Makes the containers, with what the host puts into them. Not timed, and moves are not counted.
  virtual void prepare(coherence::Context& context) = 0;
  /// The calls, and what the host needs of the result.
  virtual void run(coherence::Context& context) = 0;
  /// Of the last run, against an independent result.
  virtual report::Verification check() = 0;
  /// The containers are given back: before the context goes.
  virtual void clear() = 0;
  /// Adds what it measures beside what all applications do. After check(). @param wall seconds of the runs
  virtual void measure(const report::Spread& wall, report::Point& point) const = 0;
  virtual std::optional<ReplicatedWork> replicated() const { return std::nullopt; }
  /// Work items and precision, for the report.
  virtual report::Work work() const = 0;
  /// Bytes of all containers together.
  virtual std::size_t bytes() const = 0;
};

}  // namespace haloheap

#endif
