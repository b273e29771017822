// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_GRAM_MATRIX_HPP
#define HALOHEAP_COMM_SOLVERS_GRAM_MATRIX_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/comm/solvers/own_cells.hpp>
#include <haloheap/core/memory/array.hpp>

#include <memory>
#include <vector>

namespace haloheap::comm::detail {

/// The products of all pairs of some fields, or of some fields with two, by one sum of all ranks. They have
/// the same bits in any order, as those of DotProducts.
template <class T>
class GramMatrix {
 public:
  using Exec = backend::Exec;
  /// Products of one pass: those of so many fields with as many or fewer, or of twice as many with two, which
  /// are read anew in each pass.
  static constexpr int edge = 4;
  static constexpr int with_two = 8;

  struct Fields {
    std::vector<const T*> data;
    std::vector<double> guesses;  ///< of their norms
  };

  /// @param cells of the whole grid @param fields at most
  GramMatrix(const Communicator& communicator, std::shared_ptr<memory::MemoryResource> memory,
             grid::Index cells, int fields);

  /// Collective, waits for `exec`. @param fields of this layout
  /// @returns row after row; NaN where a value is more than four times the guess of its field's norm, or not
  /// finite. Where the guess is far too large, digits are lost
  std::vector<double> products(const Exec& exec, const grid::FieldLayout& layout, const Fields& fields) const;
  /// The same of each field with two others, or with two of them: two products a field.
  std::vector<double> products_with(const Exec& exec, const grid::FieldLayout& layout, const Fields& fields,
                                    const Fields& two) const;

 private:
  /// What kernels have written to the totals, of all ranks.
  std::vector<double> words(const Exec& exec, int tiles) const;

  const Communicator& communicator_;
  grid::Index cells_;
  memory::Array<double> slots_;
  memory::Array<double> totals_;  ///< where kernels write to and the host reads
};

extern template class GramMatrix<float>;
extern template class GramMatrix<double>;

}  // namespace haloheap::comm::detail

#endif
