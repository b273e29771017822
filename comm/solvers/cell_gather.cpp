// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/cell_gather.hpp>
#include <haloheap/core/backend/instance.hpp>

#include <type_traits>

namespace haloheap::comm::detail {
namespace {

template <class Visit>
void for_each_cell(const grid::Box& box, const Visit& visit) {
  for (grid::Index z = box.lo.z; z < box.hi.z; ++z)
    for (grid::Index y = box.lo.y; y < box.hi.y; ++y)
      for (grid::Index x = box.lo.x; x < box.hi.x; ++x) visit(grid::Triple{x, y, z});
}

}  // namespace

template <class T>
CellGather<T>::CellGather(const Communicator& communicator, const grid::FieldLayout& part,
                          const grid::Box& own, const grid::FieldLayout& whole)
    : communicator_(communicator),
      part_(part),
      whole_(whole),
      boxes_(static_cast<std::size_t>(communicator.size())),
      part_values_(static_cast<std::size_t>(part.size())),
      sent_(static_cast<std::size_t>(own.cells())),
      all_values_(static_cast<std::size_t>(whole.size())) {
  static_assert(std::is_trivially_copyable_v<grid::Box>);
  check_mpi(
      MPI_Allgather(&own, sizeof(own), MPI_BYTE, boxes_.data(), sizeof(own), MPI_BYTE, communicator.get()),
      "MPI_Allgather");
  int start = 0;
  for (const grid::Box& box : boxes_) {
    counts_.push_back(static_cast<int>(box.cells() * static_cast<grid::Index>(sizeof(T))));
    starts_.push_back(start);
    start += counts_.back();
  }
  received_.resize(static_cast<std::size_t>(start) / sizeof(T));
}

template <class T>
void CellGather<T>::gather(const backend::Exec& exec, const T* values, T* all) {
  backend::copy(exec, part_values_.data(), values, part_values_.size() * sizeof(T));
  std::size_t next = 0;
  for_each_cell(part_.own_box(), [&](const grid::Triple& cell) {
    sent_[next++] = part_values_[static_cast<std::size_t>(part_.at(cell))];
  });
  check_mpi(MPI_Allgatherv(sent_.data(), static_cast<int>(sent_.size() * sizeof(T)), MPI_BYTE,
                           received_.data(), counts_.data(), starts_.data(), MPI_BYTE, communicator_.get()),
            "MPI_Allgatherv");
  next = 0;
  for (const grid::Box& box : boxes_)
    for_each_cell(box, [&](const grid::Triple& cell) {
      all_values_[static_cast<std::size_t>(whole_.at(cell))] = received_[next++];
    });
  backend::copy(exec, all, all_values_.data(), all_values_.size() * sizeof(T));
}

template class CellGather<float>;
template class CellGather<double>;

}  // namespace haloheap::comm::detail
