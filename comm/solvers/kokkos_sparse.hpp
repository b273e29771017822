// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// For programs that link Kokkos::kokkoskernels, with its component sparse: haloheap::comm does not, and
// includes this nowhere.
#ifndef HALOHEAP_COMM_SOLVERS_KOKKOS_SPARSE_HPP
#define HALOHEAP_COMM_SOLVERS_KOKKOS_SPARSE_HPP

#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/solvers/assembled_matrix.hpp>
#include <haloheap/comm/solvers/custom_preconditioner.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/backend/view.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/error_kind_of.hpp>

#include <KokkosKernels_Handle.hpp>
#include <KokkosSparse_CrsMatrix.hpp>
#include <KokkosSparse_gauss_seidel.hpp>
#include <KokkosSparse_spiluk.hpp>
#include <KokkosSparse_sptrsv.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace haloheap::comm {

/// What Kokkos-Kernels takes for a matrix of compressed rows.
template <class T>
using KokkosMatrix = KokkosSparse::CrsMatrix<T, int, typename backend::Exec::device_type, void, std::size_t>;

/// Shares the memory of the rows, and keeps it.
template <class T>
KokkosMatrix<T> kokkos_matrix(const CompressedRows<T>& rows) {
  return KokkosMatrix<T>("haloheap::comm::kokkos_matrix", rows.row_count(), rows.column_count,
                         rows.entry_count(), rows.values, rows.offsets, rows.columns);
}

namespace detail {

/// What Kokkos-Kernels keeps between the phases of its algorithms.
template <class T>
using KokkosHandle = KokkosKernels::Experimental::KokkosKernelsHandle<std::size_t, int, T, backend::Exec,
                                                                      typename backend::Exec::memory_space,
                                                                      typename backend::Exec::memory_space>;

/// A preconditioner that each rank makes of its own cells alone, as if nothing were around them.
template <class T>
class OwnBlockPreconditioner : public CustomPreconditioner<T> {
 public:
  using Exec = backend::Exec;

  void apply(const Exec& exec, const T* r, T* z) final {
    pack_own(exec, layout_, r, right_.data());
    follow(instance_.exec(), exec, packed_);
    solve_block(instance_.exec(), right_, left_);
    follow(exec, instance_.exec(), solved_);
    unpack_own(exec, layout_, static_cast<const T*>(left_.data()), z);
  }

 protected:
  /// Collective. @throws UsageError for rows whose diagonal is 0 or not finite
  OwnBlockPreconditioner(const AssembledMatrix<T>& matrix, const std::string& name)
      : block_(matrix.own_block()),
        layout_(matrix.layout()),
        right_("haloheap::comm::block_right_side", static_cast<std::size_t>(block_.row_count())),
        left_("haloheap::comm::block_solution", static_cast<std::size_t>(block_.row_count())) {
    const grid::Index wrong = unusable_diagonals(matrix.communicator(), instance_.exec(), block_);
    if (wrong > 0)
      throw UsageError("the matrix of a preconditioner has a diagonal that is 0 or not finite in " +
                           std::to_string(wrong) + " of its rows",
                       name + " divides by it",
                       "set the operator's constants before it is assembled, or use another preconditioner");
  }

  /// left = M right.
  virtual void solve_block(const Exec& exec, const backend::View<T*>& right,
                           const backend::View<T*>& left) = 0;

  /// Runs a phase of Kokkos-Kernels that comes before all others, some of whose kernels it launches on
  /// instances of its own. Collective. @throws AgreedError on all ranks with what it throws on one: that
  /// there is no memory, or else a CapabilityError
  template <class Phase>
  static void run_phase(const Communicator& communicator, const std::string& name, const Phase& phase) {
    agree(communicator, [&] {
      Kokkos::fence(name);
      try {
        phase();
      } catch (const std::exception& problem) {
        const bool own = dynamic_cast<const Error*>(&problem) != nullptr;
        if (own || base::error_kind_of(problem) == ErrorKind::out_of_memory) throw;
        throw CapabilityError("Kokkos-Kernels cannot make " + name + ": " + problem.what(), "",
                              "use another preconditioner");
      }
      Kokkos::fence(name);
    });
  }

  const CompressedRows<T>& block() const { return block_; }
  const Exec& instance() const { return instance_.exec(); }

 private:
  /// What is enqueued on `then` from now on comes after what is on `first`. Kokkos-Kernels knows instances of
  /// Kokkos, and not the queues that a host may have in the place of a device's.
  static void follow(const Exec& then, const Exec& first, backend::Event& event) {
    if constexpr (backend::kernels_on_host) {
      backend::wait_for(first);
    } else {
      event.record(first);
      event.wait_on(then);
    }
  }

  CompressedRows<T> block_;
  grid::FieldLayout layout_;
  backend::View<T*> right_, left_;
  backend::Instance instance_{backend::Priority::low};
  backend::Event packed_, solved_;
};

}  // namespace detail

struct GaussSeidelConfig {
  int sweeps = 1;    ///< each of which is one forwards and one backwards
  double omega = 1;  ///< more than 1: over-relaxation
};

/// Symmetric sweeps of Gauss-Seidel from 0, on each rank's own cells alone, by Kokkos-Kernels: cells are
/// given colours, and those of one colour are relaxed at once. Symmetric and positive definite if the
/// operator is. Neighbours of other ranks count as 0, so that more ranks need more iterations, and bits
/// depend on them.
template <class T>
class GaussSeidel final : public detail::OwnBlockPreconditioner<T> {
 public:
  using Exec = backend::Exec;

  /// Collective. Waits. The matrix is not needed any more afterwards.
  /// @throws UsageError for a diagonal that is 0 or not finite, and numbers that make no sweep
  explicit GaussSeidel(const AssembledMatrix<T>& matrix, const GaussSeidelConfig& config = {})
      : detail::OwnBlockPreconditioner<T>(matrix, "Gauss-Seidel"), config_(config) {
    if (config.sweeps < 1 || !(config.omega > 0 && config.omega < 2))
      throw UsageError("Gauss-Seidel is to make " + std::to_string(config.sweeps) + " sweeps with omega " +
                           std::to_string(config.omega),
                       "it would never begin, or not converge", "use 1 or more, and omega between 0 and 2");
    this->run_phase(matrix.communicator(), "a Gauss-Seidel method", [&] {
      const CompressedRows<T>& block = this->block();
      const int rows = block.row_count();
      const bool symmetric = has_symmetric_pattern(this->instance(), block);
      handle_.create_gs_handle(this->instance(), 1);
      KokkosSparse::Experimental::gauss_seidel_symbolic(this->instance(), &handle_, rows, rows, block.offsets,
                                                        block.columns, symmetric);
      KokkosSparse::Experimental::gauss_seidel_numeric(this->instance(), &handle_, rows, rows, block.offsets,
                                                       block.columns, block.values, symmetric);
    });
  }

 private:
  void solve_block(const Exec& exec, const backend::View<T*>& right, const backend::View<T*>& left) override {
    const CompressedRows<T>& block = this->block();
    const int rows = block.row_count();
    KokkosSparse::Experimental::symmetric_gauss_seidel_apply(
        exec, &handle_, rows, rows, block.offsets, block.columns, block.values, left, right, true, true,
        static_cast<T>(config_.omega), config_.sweeps);
  }

  GaussSeidelConfig config_;
  detail::KokkosHandle<T> handle_;
};

/// Incomplete factors L U of each rank's own cells, with as much fill as a level allows ([Saad2003], section
/// 10.3), by Kokkos-Kernels: level 0 has the entries of the matrix. Symmetric if the operator is. A wave of
/// rows is solved at a time: on a grid of n x n cells there are 2 n of them, one after the other.
///
/// Kokkos-Kernels needs memory for as many numbers as there are cells in the largest wave times all cells
/// while factors are made; on a GPU as much of that as is free.
template <class T>
class IncompleteFactors final : public detail::OwnBlockPreconditioner<T> {
 public:
  using Exec = backend::Exec;

  /// Collective. Waits. The matrix is not needed any more afterwards.
  /// @throws UsageError for a diagonal that is 0 or not finite, also of U, and a level below 0
  explicit IncompleteFactors(const AssembledMatrix<T>& matrix, int level = 0)
      : detail::OwnBlockPreconditioner<T>(matrix, "an incomplete factorisation"),
        between_("haloheap::comm::between_factors", static_cast<std::size_t>(this->block().row_count())) {
    if (level < 0)
      throw UsageError("the level of incomplete factors is " + std::to_string(level),
                       "no entry has a level below 0", "use 0 or more");
    this->run_phase(matrix.communicator(), "incomplete factors", [&] { factorise(level); });
    const grid::Index wrong = unusable_diagonals(matrix.communicator(), this->instance(), upper_);
    if (wrong > 0)
      throw UsageError(
          "incomplete factors have a pivot that is 0 or not finite in " + std::to_string(wrong) + " rows",
          "nothing can be solved with them", "use a higher level, or another preconditioner");
  }

 private:
  void factorise(int level) {
    detail::KokkosHandle<T> handle;
    find_pattern(handle, level);
    const CompressedRows<T>& block = this->block();
    lower_.values = backend::View<T*>("haloheap::comm::lower_factor", lower_.columns.extent(0));
    upper_.values = backend::View<T*>("haloheap::comm::upper_factor", upper_.columns.extent(0));
    Kokkos::fence("haloheap::comm::IncompleteFactors");
    KokkosSparse::Experimental::spiluk_numeric(&handle, level, block.offsets, block.columns, block.values,
                                               lower_.offsets, lower_.columns, lower_.values, upper_.offsets,
                                               upper_.columns, upper_.values);
    Kokkos::fence("haloheap::comm::IncompleteFactors");
    prepare_solve(lower_handle_, lower_, true);
    prepare_solve(upper_handle_, upper_, false);
  }
  /// Of both factors. How much room they need nobody knows before, and too little is an error of
  /// Kokkos-Kernels.
  void find_pattern(detail::KokkosHandle<T>& handle, int level) {
    constexpr int attempts = 6;
    const CompressedRows<T>& block = this->block();
    const auto rows = static_cast<std::size_t>(block.row_count());
    std::size_t room = (block.entry_count() + rows) * static_cast<std::size_t>(level + 1);
    for (int attempt = 0;; ++attempt, room *= 2) {
      handle.create_spiluk_handle(KokkosSparse::Experimental::SPILUKAlgorithm::SEQLVLSCHD_TP1, rows, room,
                                  room);
      for (CompressedRows<T>* factor : {&lower_, &upper_}) {
        factor->column_count = block.row_count();
        factor->offsets = backend::View<std::size_t*>("haloheap::comm::factor_offsets", rows + 1);
        factor->columns = backend::View<int*>("haloheap::comm::factor_columns", room);
      }
      try {
        KokkosSparse::Experimental::spiluk_symbolic(&handle, level, block.offsets, block.columns,
                                                    lower_.offsets, lower_.columns, upper_.offsets,
                                                    upper_.columns);
        break;
      } catch (const std::runtime_error&) {
        if (attempt == attempts) throw;
      }
    }
    Kokkos::resize(lower_.columns, handle.get_spiluk_handle()->get_nnzL());
    Kokkos::resize(upper_.columns, handle.get_spiluk_handle()->get_nnzU());
  }
  void prepare_solve(detail::KokkosHandle<T>& handle, const CompressedRows<T>& factor, bool lower) {
    handle.create_sptrsv_handle(KokkosSparse::Experimental::SPTRSVAlgorithm::SEQLVLSCHD_TP1,
                                static_cast<std::size_t>(factor.row_count()), lower);
    KokkosSparse::Experimental::sptrsv_symbolic(&handle, factor.offsets, factor.columns);
  }

  void solve_block(const Exec& given, const backend::View<T*>& right,
                   const backend::View<T*>& left) override {
    Exec exec = given;  // Kokkos-Kernels changes nothing of it, and does not say so
    KokkosSparse::Experimental::sptrsv_solve(exec, &lower_handle_, lower_.offsets, lower_.columns,
                                             lower_.values, right, between_);
    KokkosSparse::Experimental::sptrsv_solve(exec, &upper_handle_, upper_.offsets, upper_.columns,
                                             upper_.values, between_, left);
  }

  CompressedRows<T> lower_, upper_;
  backend::View<T*> between_;
  detail::KokkosHandle<T> lower_handle_, upper_handle_;
};

}  // namespace haloheap::comm

#endif
