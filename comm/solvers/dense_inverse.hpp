// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_DENSE_INVERSE_HPP
#define HALOHEAP_COMM_SOLVERS_DENSE_INVERSE_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/solvers/dense_factors.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/memory/array.hpp>

#include <memory>

namespace haloheap::comm::detail {

/// x = A^-1 b of a field with few cells, by the inverse in the device's memory: one kernel, where factors
/// would need a step a cell, or the host. The same bits on all backends.
template <class T>
class DenseInverse {
 public:
  using Exec = backend::Exec;

  /// Waits. @param factors of as many unknowns as there are own cells, in their order
  DenseInverse(const Exec& exec, const std::shared_ptr<memory::MemoryResource>& memory,
               const DenseFactors& factors, const grid::FieldLayout& layout);

  /// Enqueues it: own cells of both.
  void apply(const Exec& exec, const T* b, T* x) const;

 private:
  memory::Array<double> rows_;
  memory::Array<grid::Index> places_;  ///< of the unknowns in a field
};

extern template class DenseInverse<float>;
extern template class DenseInverse<double>;

}  // namespace haloheap::comm::detail

#endif
