// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/fold_dots.hpp>
#include <haloheap/comm/solvers/gram_matrix.hpp>

#include <algorithm>
#include <cmath>

namespace haloheap::comm::detail {
namespace {

/// Products of some fields with others.
template <class T, int Edge>
struct Tile {
  static constexpr int dots = Edge * Edge;
  const T *a[Edge], *b[Edge];

  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, dots> operator()(const grid::Triple& /*cell*/,
                                                                       grid::Index at) const {
    stencil::Values<double, dots> found;
    HALOHEAP_UNROLL
    for (int i = 0; i < Edge; ++i) {
      const auto left = static_cast<double>(a[i][at]);
      HALOHEAP_UNROLL
      for (int j = 0; j < Edge; ++j) found.value[i * Edge + j] = left * static_cast<double>(b[j][at]);
    }
    return found;
  }
};

int blocks_of(int fields, int edge) {
  return (fields + edge - 1) / edge;
}

/// Tiles on the diagonal and above.
int tiles_of(int fields, int edge) {
  const int blocks = blocks_of(fields, edge);
  return blocks * (blocks + 1) / 2;
}

constexpr int tile_words = GramMatrix<double>::edge * GramMatrix<double>::edge * residual_parts;

}  // namespace

template <class T>
GramMatrix<T>::GramMatrix(const Communicator& communicator, std::shared_ptr<memory::MemoryResource> memory,
                          grid::Index cells, int fields)
    : communicator_(communicator),
      cells_(cells),
      slots_(memory, "haloheap::comm::gram_slots",
             static_cast<std::size_t>(residual_slots * DotTargetOf<edge * edge>::stride)),
      totals_(memory, "haloheap::comm::gram_totals",
              static_cast<std::size_t>(tiles_of(fields, edge) * tile_words)) {
  clear_dots(slots_);
}

template <class T>
std::vector<double> GramMatrix<T>::products(const Exec& exec, const grid::FieldLayout& layout,
                                            const std::vector<const T*>& fields,
                                            const std::vector<double>& guesses) const {
  constexpr double room = 0x1p24, smallest = 0x1p-900, largest = 0x1p899;  // as LinearSystem::near
  using Body = Tile<T, edge>;
  const int count = static_cast<int>(fields.size()), blocks = blocks_of(count, edge);
  const auto in = [&](int block, int i) {  // what is left over has products that nobody asks for
    return static_cast<std::size_t>(std::min(block * edge + i, count - 1));
  };
  int tile = 0;
  for (int one = 0; one < blocks; ++one)
    for (int other = one; other < blocks; ++other, ++tile) {
      Body body{};
      DotTargetOf<Body::dots> target;
      target.slots = slots_.data();
      for (int i = 0; i < edge; ++i) {
        body.a[i] = fields[in(one, i)];
        body.b[i] = fields[in(other, i)];
        for (int j = 0; j < edge; ++j) {
          const double bound = room * guesses[in(one, i)] * guesses[in(other, j)];
          target.scales[i * edge + j] =
              stencil::SumScale::make(i * edge + j, std::clamp(bound, smallest, largest), cells_);
        }
      }
      for_own_cells(exec, "haloheap::comm::gram_tile", layout, body, target);
      fold_dots(exec, {slots_.data(), totals_.data() + tile * tile_words, target.stride, tile_words});
    }
  std::vector<double> words(static_cast<std::size_t>(tile * tile_words));
  backend::copy(exec, words.data(), totals_.data(), words.size() * sizeof(double));
  check_mpi(
      MPI_Allreduce(MPI_IN_PLACE, words.data(), tile * tile_words, MPI_DOUBLE, MPI_SUM, communicator_.get()),
      "MPI_Allreduce");
  std::vector<double> result(static_cast<std::size_t>(count * count));
  tile = 0;
  for (int one = 0; one < blocks; ++one)
    for (int other = one; other < blocks; ++other, ++tile)
      for (int i = one * edge; i < std::min(count, (one + 1) * edge); ++i)
        for (int j = other * edge; j < std::min(count, (other + 1) * edge); ++j) {
          const int at = tile * tile_words + (i % edge * edge + j % edge) * residual_parts;
          const double sum = rounded_sum(words.data() + at);
          result[static_cast<std::size_t>(i * count + j)] = sum;
          result[static_cast<std::size_t>(j * count + i)] = sum;
        }
  return result;
}

template class GramMatrix<float>;
template class GramMatrix<double>;

}  // namespace haloheap::comm::detail
