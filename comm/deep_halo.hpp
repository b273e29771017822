// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_DEEP_HALO_HPP
#define HALOHEAP_COMM_DEEP_HALO_HPP

#include <haloheap/comm/halo_exchange.hpp>
#include <haloheap/core/grid/boundary.hpp>
#include <haloheap/core/grid/sweep.hpp>

#include <functional>

namespace haloheap {

/// What runs behind the exchange.
enum class Overlap {
  none,        ///< nothing
  first_step,  ///< the interior of the first sub-step (Valen 2023, Section 3.4)
};

struct DeepHaloConfig {
  int depth = 1;  ///< steps an exchange; the halo is depth * radius cells wide
  Exchange exchange = Exchange::sync;
  Overlap overlap = Overlap::none;
  HaloExchangeConfig halo;
  bool phases = true;  ///< record phase times
};

/// What is computed: one stencil on one rank's subdomain of a grid.
struct GridProblem {
  Stencil stencil;
  Boundary boundary;
  Triple cells;  ///< the global grid
  Topology topology;
  int quantities = 1;

  Box own() const;
  FieldLayout layout(int depth, std::size_t element_bytes) const;
};

/// Runs a stencil with deep halos: one exchange, then `depth` sub-steps on boxes that shrink by the radius,
/// so that neighbours' cells are computed twice instead of being sent again. On physical sides there is
/// nothing to compute twice: the box ends there, and the boundary is imposed anew before each sub-step.
template <class T>
class DeepHalo {
 public:
  using Exec = Kokkos::DefaultExecutionSpace;

  /// Collective. `now` and `next` are device-accessible fields of problem.layout(config.depth); `now` holds
  /// the start values in its own cells. @throws UsageError if the halo is wider than the smallest subdomain, or
  /// a Neumann side mirrors cells that the grid does not have
  DeepHalo(const Communicator& communicator, const GridProblem& problem, const DeepHaloConfig& config, T* now,
           T* next);

  /// Enqueues `steps` steps. The last exchange is followed by fewer sub-steps if depth does not divide steps.
  /// `on_exchange`, if given, is called with the number of steps enqueued so far after each exchange.
  void advance(Index steps, const std::function<void(Index)>& on_exchange = {});

  /// Waits until all steps are done.
  void finish();

  /// The field after the last step.
  T* now() const { return now_; }
  /// The other field; free between advances.
  T* next() const { return next_; }

  PhaseTimer& timer() { return timer_; }
  const HaloPlan& plan() const { return plan_; }
  /// Cell updates that a neighbour makes too, as a fraction of all that this rank makes in a whole cycle.
  double redundant_fraction() const;

 private:
  Box substep_box(int step, int steps) const;
  void cycle(int steps);
  void first_step_overlapped(const Box& box);
  void first_step_plain(const Box& box);
  void swap() { std::swap(now_, next_); }

  GridProblem problem_;
  DeepHaloConfig config_;
  FieldLayout layout_;
  T *now_, *next_;
  HaloPlan plan_;
  Sweep<T> sweep_;
  BoundaryFill<T> boundary_;
  PhaseTimer timer_;
  backend::Instance compute_{backend::Priority::low}, border_{backend::Priority::high};
  backend::Event computed_, filled_, bordered_;
  HaloExchange<T> exchange_;
};

extern template class DeepHalo<float>;
extern template class DeepHalo<double>;

}  // namespace haloheap

#endif
