// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_DOT_PRODUCTS_HPP
#define HALOHEAP_COMM_SOLVERS_DOT_PRODUCTS_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/comm/solvers/field_kernels.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/memory/array.hpp>

#include <array>
#include <functional>
#include <memory>

namespace haloheap::comm::detail {

/// Sums over the cells of all ranks that have the same bits in any order: each product is split into three
/// parts that add up without rounding ([Demmel2013]), which needs a bound of the products. Kernels that
/// compute vectors add up on the way: `target` is what they add to, and `sums` what came out.
class DotProducts {
 public:
  using Exec = backend::Exec;

  /// @param cells of the whole grid
  DotProducts(const Communicator& communicator, std::shared_ptr<memory::MemoryResource> memory,
              grid::Index cells);
  ~DotProducts();
  DotProducts(const DotProducts&) = delete;
  DotProducts& operator=(const DotProducts&) = delete;

  /// For products of which none is larger than its bound. 0 and what is too small stands for the smallest
  /// bound that there is.
  DotTarget target(std::array<double, max_dots> bounds) const;

  /// Collective: waits for what `exec` has computed so far, and adds up what kernels have added to `target`.
  /// A sum is NaN if a product was larger than the bound, or not a number.
  /// @param meanwhile enqueues work that nobody waits for
  std::array<double, max_dots> sums(const Exec& exec, const std::function<void()>& meanwhile = nullptr);

  /// The same in two calls, between which a rank may compute what takes as long as all ranks need to add up.
  void begin_sums(const Exec& exec);
  std::array<double, max_dots> finish_sums();

  /// The largest magnitude that a kernel has put into `largest_target`, of all ranks; not finite if one is
  /// not. Collective, waits for `exec`.
  double largest(const Exec& exec) const;
  MeasureKey* largest_target() const { return reinterpret_cast<MeasureKey*>(slots_.data()); }

 private:
  using Words = std::array<double, max_dots * residual_parts>;

  /// What this rank has added up; the slots are empty then.
  void fold(const Exec& exec, Words& words, const std::function<void()>& meanwhile = nullptr);

  const Communicator& communicator_;
  grid::Index cells_;
  memory::Array<double> slots_;
  memory::Array<double> totals_;  ///< where kernels write to and the host reads
  backend::Event folded_;
  std::unique_ptr<Words> begun_;  ///< what MPI writes to while a sum is on its way
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace haloheap::comm::detail

#endif
