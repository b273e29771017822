// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_HEAT_HEAT_STEPPER_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_HEAT_HEAT_STEPPER_HPP

#include <haloheap/comm/halo/deep_halo.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/core/stencil/initial_fill.hpp>
#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/heat/field_transfer.hpp>
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
  void make(const comm::DeepHaloConfig& config);

  /// All steps, from the initial field. With a transfer mode the field comes from the host, and goes there
  /// in the end. Collective.
  /// @param on_exchange see DeepHalo::advance
  /// @returns seconds of the slowest rank, for the steps alone
  double run(const std::function<void(grid::Index)>& on_exchange);

  /// Bytes/s, read and written, of copies from one field to the other by all ranks at once. Collective;
  /// overwrites the field that is not DeepHalo::now.
  double copy_bandwidth();

  /// Seconds of the slowest rank for the field's ways between host and device in the last run, with a
  /// transfer mode only.
  std::optional<FieldSeconds> transferred() const { return transferred_; }

  /// The own cells of the last field on the host, if the deck says that the host needs them: quantity by
  /// quantity, x fastest.
  const std::vector<T>& cells();

  comm::DeepHalo<T>& halo() { return *halo_; }
  const stencil::InitialField& initial() const { return initial_; }
  /// Of what this rank has allocated by the deck's memory resources.
  std::size_t peak_bytes() const { return memory_.peak_bytes(); }

 private:
  void allocate(const HeatCosts& costs);
  void fill();
  void fetch();
  void settle(const std::exception_ptr& failure);

  const comm::Communicator& communicator_;
  comm::Communicator errors_;  // nothing but settle() waits on it
  comm::GridProblem problem_;
  grid::Index steps_;
  double timeout_;
  grid::FieldLayout layout_;
  stencil::InitialField initial_;
  RunMemory memory_;
  std::shared_ptr<memory::MemoryResource> buffers_;
  std::optional<memory::Array<T>> first_, second_;
  std::optional<comm::DeepHalo<T>> halo_;
  TransferChoice choice_;
  std::optional<stencil::InitialFill<T>> fill_;  // either this
  std::optional<FieldTransfer<T>> transfer_;     // or that
  std::optional<FieldSeconds> transferred_;
  std::vector<T> cells_;
  bool host_needs_cells_;
};

extern template class HeatStepper<float>;
extern template class HeatStepper<double>;

}  // namespace haloheap

#endif
