// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_HEAT_HEAT_STEPPER_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_HEAT_HEAT_STEPPER_HPP

#include <haloheap/comm/halo/deep_halo.hpp>
#include <haloheap/core/grid/initial_fill.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/heat/field_travel.hpp>
#include <haloheap/miniapp/problems/heat/heat_results.hpp>
#include <haloheap/miniapp/problems/heat/heat_settings.hpp>
#include <haloheap/miniapp/run_memory.hpp>

#include <exception>
#include <functional>
#include <optional>
#include <vector>

namespace haloheap {

/// The two fields of a point, and one DeepHalo at a time that steps them.
template <class T>
class HeatStepper {
 public:
  /// Collective; allocates the fields. @throws AgreedError if any rank cannot
  HeatStepper(const RunContext& context, const HeatSettings& settings, const HeatCosts& costs);

  /// Ends the DeepHalo that there was and makes one of this configuration, but for the memory of its buffers,
  /// which is the deck's. Collective. @throws AgreedError if all ranks fail alike
  void make(const DeepHaloConfig& config);

  /// All steps, from the initial field. With a transfer mode the field comes from the host, and goes there
  /// in the end. Collective.
  /// @param on_exchange see DeepHalo::advance
  /// @returns seconds of the slowest rank, for the steps alone
  double run(const std::function<void(Index)>& on_exchange);

  /// Bytes/s, read and written, of copies from one field to the other by all ranks at once. Collective;
  /// overwrites the field that is not DeepHalo::now.
  double copy_bandwidth();

  /// Seconds of the slowest rank for the field's ways between host and device in the last run, with a
  /// transfer mode only.
  std::optional<FieldSeconds> travelled() const { return travelled_; }

  /// The own cells of the last field on the host, if the deck says that the host needs them: quantity by
  /// quantity, x fastest.
  const std::vector<T>& cells();

  DeepHalo<T>& halo() { return *halo_; }
  const InitialField& initial() const { return initial_; }
  /// Of what this rank has allocated by the deck's memory resources.
  std::size_t peak_bytes() const { return memory_.peak_bytes(); }

 private:
  void allocate(const HeatCosts& costs);
  void fill();
  void fetch();
  void settle(const std::exception_ptr& failure);

  const Communicator& communicator_;
  Communicator errors_;  // nothing but settle() waits on it
  GridProblem problem_;
  Index steps_;
  double timeout_;
  FieldLayout layout_;
  InitialField initial_;
  RunMemory memory_;
  std::shared_ptr<MemoryResource> buffers_;
  std::optional<Array<T>> first_, second_;
  std::optional<DeepHalo<T>> halo_;
  TransferChoice choice_;
  std::optional<InitialFill<T>> fill_;    // either this
  std::optional<FieldTravel<T>> travel_;  // or that
  std::optional<FieldSeconds> travelled_;
  std::vector<T> cells_;
  bool host_needs_cells_;
};

extern template class HeatStepper<float>;
extern template class HeatStepper<double>;

}  // namespace haloheap

#endif
