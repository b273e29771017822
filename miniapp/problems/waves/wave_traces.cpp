// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/miniapp/problems/waves/wave_traces.hpp>
#include <haloheap/miniapp/report/output_file.hpp>

#include <Kokkos_Core.hpp>
#include <fmt/format.h>

namespace haloheap {

void WaveTraces::place(const comm::Grid& grid, const grid::FieldLayout& layout) {
  layout_ = layout;
  own_.clear();
  local_.clear();
  const grid::Box own = grid.own();
  for (std::size_t receiver = 0; receiver < receivers_.cells.size(); ++receiver) {
    const grid::Triple& cell = receivers_.cells[receiver];
    bool inside = true;
    for (int dim = 0; dim < 3; ++dim) inside = inside && cell[dim] >= own.lo[dim] && cell[dim] < own.hi[dim];
    if (!inside) continue;
    own_.push_back(receiver);
    local_.push_back({cell.x - own.lo.x, cell.y - own.lo.y, cell.z - own.lo.z});
  }
}

template <class T>
void WaveTraces::begin(const T* fields) {
  steps_.clear();
  values_.clear();
  add(0, fields, 0);
}

template <class T>
void WaveTraces::record(grid::Index step, const T* fields) {
  if (steps_.back() < step - 1) add(step - 1, fields, 1);
  add(step, fields, 0);
}

template <class T>
void WaveTraces::add(grid::Index step, const T* fields, int field) {
  const backend::Exec exec;
  std::vector<T> read(own_.size());
  for (std::size_t i = 0; i < own_.size(); ++i)
    backend::copy_async(exec, &read[i], fields + layout_.at(local_[i], field), sizeof(T));
  exec.fence("haloheap::waves::receivers");
  steps_.push_back(step);
  values_.resize(values_.size() + receivers_.cells.size());
  double* const row = values_.data() + values_.size() - receivers_.cells.size();
  for (std::size_t i = 0; i < own_.size(); ++i) row[own_[i]] = static_cast<double>(read[i]);
}

void WaveTraces::write(const RunContext& context, double time_step) const {
  const std::size_t count = receivers_.cells.size();
  if (count == 0) return;
  std::string text = "step,time_s";
  for (const grid::Triple& cell : receivers_.cells)
    text += layout_.dims == 2 ? fmt::format(",u_{}_{}", cell.x, cell.y)
                              : fmt::format(",u_{}_{}_{}", cell.x, cell.y, cell.z);
  std::vector<double> row(count);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    comm::check_mpi(MPI_Allreduce(&values_[i * count], row.data(), static_cast<int>(count), MPI_DOUBLE,
                                  MPI_SUM, context.communicator.get()),
                    "MPI_Allreduce");
    text += fmt::format("\n{},{:.9g}", steps_[i], static_cast<double>(steps_[i]) * time_step);
    for (const double value : row) text += fmt::format(",{:.17g}", value);
  }
  comm::agree(context.communicator, [&] {
    if (context.communicator.rank() == 0)
      report::write_whole_file(context.folder / (context.point_name + "_receivers.csv"), text + "\n");
  });
}

#define HALOHEAP_WAVE_TRACES(T)              \
  template void WaveTraces::begin(const T*); \
  template void WaveTraces::record(grid::Index, const T*);
HALOHEAP_WAVE_TRACES(float)
HALOHEAP_WAVE_TRACES(double)
#undef HALOHEAP_WAVE_TRACES

}  // namespace haloheap
