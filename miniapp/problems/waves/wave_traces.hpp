// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_WAVES_WAVE_TRACES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_WAVES_WAVE_TRACES_HPP

#include <haloheap/miniapp/problems/waves/wave_settings.hpp>

#include <vector>

namespace haloheap {

/// A seismogram: u of the receivers' cells over the steps of a run. As a step leaves the field before it
/// behind, each recording is of two steps.
class WaveTraces {
 public:
  explicit WaveTraces(const WaveReceivers& receivers) : receivers_(receivers) {}

  /// Which receivers are this rank's, and where in its fields.
  void place(const comm::Grid& grid, const grid::FieldLayout& layout);
  /// Forgets what was recorded. @param fields of step 0, u and the one before, in memory of kernels
  template <class T>
  void begin(const T* fields);
  /// @param fields when `step` is done
  template <class T>
  void record(grid::Index step, const T* fields);
  /// Collective: rank 0 writes POINT_receivers.csv, if there are receivers.
  void write(const RunContext& context, double time_step) const;

 private:
  template <class T>
  void add(grid::Index step, const T* fields, int field);

  WaveReceivers receivers_;
  grid::FieldLayout layout_;
  std::vector<std::size_t> own_;     ///< receivers
  std::vector<grid::Triple> local_;  ///< their cells
  std::vector<grid::Index> steps_;
  std::vector<double> values_;  ///< by step, receiver; 0 of others' receivers
};

}  // namespace haloheap

#endif
