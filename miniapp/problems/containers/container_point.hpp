// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_CONTAINER_POINT_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_CONTAINER_POINT_HPP

#include <haloheap/core/coherence/context.hpp>
#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/report/result.hpp>
#include <haloheap/miniapp/report/spread.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <cstddef>
#include <optional>
#include <string>

namespace haloheap {

/// What Table 1 of [Dastgeer2016] needs to be compared: its rows are sums over sizes that it does not give,
/// but in these units they are numbers of vectors.
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

/// The deck's section coherence. @throws UsageError, also for more than one rank: devices are of one process
coherence::ContextOptions read_coherence(const deck::Deck& deck, int ranks);

/// "2 devices, policy region, peer copies", for plans.
std::string describe(const coherence::ContextOptions& options);

/// What all applications on containers measure.
report::QuantityList container_quantities();

/// The same, and what an application measures itself.
template <class Result>
report::QuantityList container_quantities(const report::Quantities<Result>& own) {
  report::QuantityList all = container_quantities();
  for (const report::Quantity* quantity : list_of(own)) all.push_back(quantity);
  return all;
}

/// Warm-up and measured runs of an application, each with containers of its own, and with a context of its
/// own, so that device memory is taken in every run, as in [Dastgeer2016]'s.
report::Point run_container_point(const RunContext& context, ContainerApp& app);

/// Adds the section coherence, of all problems on smart containers.
void add_coherence_keys(deck::Schema& schema);

}  // namespace haloheap

#endif
