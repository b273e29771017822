// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/grids/grid_check.hpp>

#include <cmath>
#include <cstring>

namespace haloheap {
namespace {

constexpr int reference_tag = 1;

/// The part of a whole grid that lies in `box`, in the order of own_cells.
template <class T>
std::vector<T> cut(const std::vector<T>& grid, const grid::Triple& cells, int quantities,
                   const grid::Box& box) {
  std::vector<T> part;
  part.reserve(static_cast<std::size_t>(box.cells() * quantities));
  for (grid::Index q = 0; q < quantities; ++q)
    for (grid::Index z = box.lo.z; z < box.hi.z; ++z)
      for (grid::Index y = box.lo.y; y < box.hi.y; ++y) {
        const auto row = grid.begin() + ((q * cells.z + z) * cells.y + y) * cells.x;
        part.insert(part.end(), row + box.lo.x, row + box.hi.x);
      }
  return part;
}

// In pieces, because MPI counts in int.
template <class Buffer, class Transfer>
void in_pieces(Buffer* data, std::size_t bytes, const Transfer& transfer) {
  constexpr std::size_t piece = std::size_t{1} << 30;
  for (std::size_t at = 0; at < bytes; at += piece)
    transfer(reinterpret_cast<Buffer*>(data) + at, static_cast<int>(std::min(piece, bytes - at)));
}

template <class T>
std::vector<T> expected_cells(const RunContext& context, const GridSettings& settings,
                              const GridModelOf<T>& model, GridReference& reference, std::size_t mine) {
  const comm::Communicator& communicator = context.communicator;
  std::vector<T> expected(mine);
  if (communicator.rank() != 0) {
    in_pieces(reinterpret_cast<char*>(expected.data()), mine * sizeof(T), [&](char* data, int bytes) {
      comm::check_mpi(
          MPI_Recv(data, bytes, MPI_BYTE, 0, reference_tag, communicator.get(), MPI_STATUS_IGNORE),
          "MPI_Recv");
    });
    return expected;
  }
  const std::vector<T>& grid = reference.solution(context.deck, model);
  for (int rank = 1; rank < communicator.size(); ++rank) {
    const auto part = cut(grid, settings.cells(), model.fields(), settings.own(rank));
    in_pieces(reinterpret_cast<const char*>(part.data()), part.size() * sizeof(T),
              [&](const char* data, int bytes) {
                comm::check_mpi(MPI_Send(data, bytes, MPI_BYTE, rank, reference_tag, communicator.get()),
                                "MPI_Send");
              });
  }
  return cut(grid, settings.cells(), model.fields(), settings.own(0));
}

/// Of all ranks, over its scale. Collective.
template <class T>
double error_of(const KnownAnswer& answer, const comm::Communicator& communicator, int fields,
                const grid::Box& own, const std::vector<T>& cells) {
  double worst = 0, sum = 0;
  std::size_t i = 0;
  for (int field = 0; field < fields; ++field)
    for (grid::Index z = own.lo.z; z < own.hi.z; ++z)
      for (grid::Index y = own.lo.y; y < own.hi.y; ++y)
        for (grid::Index x = own.lo.x; x < own.hi.x; ++x) {
          const double error = std::abs(static_cast<double>(cells[i++]) - answer.at(field, {x, y, z}));
          if (!(error <= worst)) worst = error;  // keeps a NaN
          sum += error;
        }
  if (!answer.mean) return communicator.max(worst) / answer.scale;
  return communicator.sum(sum) / communicator.sum(static_cast<double>(own.cells())) / answer.scale;
}

}  // namespace

template <class T>
report::Verification verify_grid(const RunContext& context, const GridSettings& settings,
                                 const GridModelOf<T>& model, GridReference& reference,
                                 const std::vector<T>& cells) {
  const comm::Communicator& communicator = context.communicator;
  const auto expected = expected_cells(context, settings, model, reference, cells.size());
  report::Verification result;
  result.bitwise =
      communicator.all(std::memcmp(expected.data(), cells.data(), cells.size() * sizeof(T)) == 0);
  if (!result.bitwise) result.differs = "the field";
  const auto answer = model.known_answer(settings.steps);
  if (!answer) return result;
  result.sine_error =
      error_of(*answer, communicator, model.fields(), settings.own(communicator.rank()), cells);
  result.tolerance = answer->tolerance;
  return result;
}

#define HALOHEAP_INSTANTIATE(T)                                                                            \
  template report::Verification verify_grid(const RunContext&, const GridSettings&, const GridModelOf<T>&, \
                                            GridReference&, const std::vector<T>&);
HALOHEAP_GRID_VALUES(HALOHEAP_INSTANTIATE)
#undef HALOHEAP_INSTANTIATE

}  // namespace haloheap
