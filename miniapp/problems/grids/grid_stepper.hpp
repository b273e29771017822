// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_STEPPER_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_STEPPER_HPP

#include <haloheap/comm/halo/deep_halo.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/grids/field_transfer.hpp>
#include <haloheap/miniapp/problems/grids/grid_results.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/run_memory.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace haloheap {

/// The fields of a point before and after a step, and one DeepHalo at a time that makes the steps.
template <class T>
class GridStepper {
 public:
  /// Collective; allocates the fields. @throws AgreedError if any rank cannot
  GridStepper(const RunContext& context, const GridSettings& settings, const GridModelOf<T>& model,
              const GridCosts& costs);

  /// Ends the DeepHalo that there was and makes one of this configuration, but for the memory of its buffers,
  /// which is the deck's. Collective. @throws AgreedError if all ranks fail alike
  void make(const comm::DeepHaloConfig& config);

  /// Sets the start values, and waits for the other ranks. With a transfer mode they come from the host.
  /// Collective.
  void start();
  /// Makes so many steps more, and waits until they are done. Collective.
  /// @param on_exchange see DeepHalo::advance
  void advance(grid::Index steps, const std::function<void(grid::Index)>& on_exchange);

  /// All steps, from the start values. With a transfer mode the field comes from the host, and goes there
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

  /// The own cells of the last field on the host, if the deck says that the host needs them: by field, z, y,
  /// x.
  const std::vector<T>& cells();

  /// The own cells as they are after start or advance, likewise.
  std::vector<T> cells_now() const;

  comm::DeepHalo<T>& halo() { return *halo_; }
  /// Of what this rank has allocated by the deck's memory resources.
  std::size_t peak_bytes() const { return memory_.peak_bytes(); }

 private:
  void allocate(const GridCosts& costs);
  void fill();
  void fetch();
  void settle(const std::exception_ptr& failure);

  const comm::Communicator& communicator_;
  comm::Communicator errors_;  // nothing but settle() waits on it
  const GridModelOf<T>& model_;
  comm::Grid grid_;
  grid::Index steps_;
  double timeout_;
  grid::FieldLayout layout_;
  RunMemory memory_;
  std::shared_ptr<memory::MemoryResource> fields_, buffers_;
  std::optional<memory::Array<T>> first_, second_;
  std::shared_ptr<comm::DeepHalo<T>> halo_;
  TransferChoice choice_;
  std::function<void(const backend::Exec&, T*)> fill_;  // either this
  CellValues<T> start_;                                 // or these,
  std::optional<FieldTransfer<T>> transfer_;            // which come from the host
  std::optional<FieldSeconds> transferred_;
  std::vector<T> cells_;
  bool host_needs_cells_;
};

}  // namespace haloheap

#endif
