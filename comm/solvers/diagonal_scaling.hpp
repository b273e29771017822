// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_DIAGONAL_SCALING_HPP
#define HALOHEAP_COMM_SOLVERS_DIAGONAL_SCALING_HPP

#include <haloheap/comm/solvers/linear_system.hpp>

#include <optional>

namespace haloheap::comm::detail {

/// The inverse of an operator's diagonal, with what is around it.
template <class T>
class DiagonalScaling {
 public:
  using Exec = backend::Exec;

  /// Collective. @throws as HaloExchange, OutOfMemory for a field
  explicit DiagonalScaling(const LinearSystem<T>& system)
      : field_(system.field("haloheap::comm::scaling")), exchange_(system, FieldPair<T>(field_, field_)) {}

  /// Collective. @param positive whether the diagonal must be
  /// @returns what is wrong with it
  std::optional<StopReason> prepare(const Exec& exec, const LinearSystem<T>& system, bool positive);

  const T* data() const { return field_.data(); }

 private:
  memory::Array<T> field_;
  typename LinearSystem<T>::FieldExchange exchange_;
};

extern template class DiagonalScaling<float>;
extern template class DiagonalScaling<double>;

}  // namespace haloheap::comm::detail

#endif
