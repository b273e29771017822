// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/miniapp/problems/heat/heat_check.hpp>
#include <haloheap/miniapp/report/vti_writer.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

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
std::vector<T> expected_cells(const comm::Communicator& communicator, const HeatSettings& settings,
                              const stencil::InitialField& initial, HeatReference& reference,
                              std::size_t mine) {
  std::vector<T> expected(mine);
  if (communicator.rank() != 0) {
    in_pieces(reinterpret_cast<char*>(expected.data()), mine * sizeof(T), [&](char* data, int bytes) {
      comm::check_mpi(
          MPI_Recv(data, bytes, MPI_BYTE, 0, reference_tag, communicator.get(), MPI_STATUS_IGNORE),
          "MPI_Recv");
    });
    return expected;
  }
  const std::vector<T>& grid = reference.solution<T>(settings, initial);
  for (int rank = 1; rank < communicator.size(); ++rank) {
    const auto part = cut(grid, settings.cells, settings.quantities, settings.problem(rank).own());
    in_pieces(reinterpret_cast<const char*>(part.data()), part.size() * sizeof(T),
              [&](const char* data, int bytes) {
                comm::check_mpi(MPI_Send(data, bytes, MPI_BYTE, rank, reference_tag, communicator.get()),
                                "MPI_Send");
              });
  }
  return cut(grid, settings.cells, settings.quantities, settings.problem(0).own());
}

/// Largest difference from decay^steps times the start values, relative to the start's amplitude 1.
template <class T>
double decay_error(const stencil::InitialField& initial, const HeatSettings& settings, const grid::Box& own,
                   const std::vector<T>& cells) {
  double worst = 0;
  std::size_t i = 0;
  for (int q = 0; q < settings.quantities; ++q) {
    const double factor = std::pow(*initial.decay(settings.stencil, q), static_cast<double>(settings.steps));
    for (grid::Index z = own.lo.z; z < own.hi.z; ++z)
      for (grid::Index y = own.lo.y; y < own.hi.y; ++y)
        for (grid::Index x = own.lo.x; x < own.hi.x; ++x) {
          const double error = std::abs(static_cast<double>(cells[i++]) - factor * initial.at({x, y, z}, q));
          if (!(error <= worst)) worst = error;  // keeps a NaN
        }
  }
  return worst;
}

}  // namespace

template <class T>
std::vector<T> own_cells(const grid::FieldLayout& layout, const T* device_field) {
  const backend::Instance copies(backend::Priority::low);
  std::vector<T> all(static_cast<std::size_t>(layout.size()));
  backend::copy_async(copies.exec(), all.data(), device_field, all.size() * sizeof(T));
  backend::Event done;
  done.record(copies.exec());
  done.wait_on_host();
  std::vector<T> cells;
  cells.reserve(static_cast<std::size_t>(layout.own_box().cells() * layout.quantities));
  for (int q = 0; q < layout.quantities; ++q)
    for (grid::Index z = 0; z < layout.own.z; ++z)
      for (grid::Index y = 0; y < layout.own.y; ++y) {
        const auto row = all.begin() + layout.at({0, y, z}, q);
        cells.insert(cells.end(), row, row + layout.own.x);
      }
  return cells;
}

template <class T>
report::Verification verify_heat(const comm::Communicator& communicator, const HeatSettings& settings,
                                 const stencil::InitialField& initial, HeatReference& reference,
                                 const std::vector<T>& cells) {
  const auto expected = expected_cells<T>(communicator, settings, initial, reference, cells.size());
  report::Verification result;
  result.bitwise =
      communicator.all(std::memcmp(expected.data(), cells.data(), cells.size() * sizeof(T)) == 0);
  if (!result.bitwise) result.differs = "the field";
  if (!initial.decay(settings.stencil, 0)) return result;
  result.sine_error =
      communicator.max(decay_error(initial, settings, settings.problem(communicator.rank()).own(), cells));
  // Each step rounds each of its products and sums once: a bound of points + 1 half units in the last place
  // of values that are at most 1, carried on by a stencil that does not amplify.
  const double rounding = static_cast<double>(settings.stencil.coefficients.size() + 1) *
                          static_cast<double>(std::numeric_limits<T>::epsilon());
  result.tolerance = static_cast<double>(settings.steps + 1) * rounding;
  return result;
}

template <class T>
void write_heat_fields(const comm::Communicator& communicator, const HeatSettings& settings,
                       const std::filesystem::path& folder, const std::string& name,
                       const std::vector<T>& cells) {
  const auto box_of = [&](int rank) {
    const grid::Box own = settings.problem(rank).own();
    return report::VtiBox{{own.lo.x, own.lo.y, own.lo.z}, {own.hi.x, own.hi.y, own.hi.z}};
  };
  const auto file_of = [&](int rank) { return fmt::format("{}_rank{:04d}.vti", name, rank); };
  const report::VtiGrid grid{.size = {settings.cells.x, settings.cells.y, settings.cells.z}};
  std::vector<std::string> names;
  std::vector<report::VtiQuantity<T>> quantities;
  const std::size_t each = cells.size() / static_cast<std::size_t>(settings.quantities);
  for (int q = 0; q < settings.quantities; ++q) {
    names.push_back(fmt::format("u{}", q));
    quantities.push_back(
        {names.back(), std::span<const T>(cells).subspan(static_cast<std::size_t>(q) * each, each)});
  }
  agree(communicator, [&] {
    report::write_vti<T>(folder / file_of(communicator.rank()), grid, box_of(communicator.rank()),
                         quantities);
    if (communicator.rank() != 0) return;
    std::vector<report::VtiPiece> pieces;
    for (int rank = 0; rank < communicator.size(); ++rank) pieces.push_back({file_of(rank), box_of(rank)});
    report::write_pvti<T>(folder / (name + ".pvti"), grid, pieces, names);
  });
}

#define HALOHEAP_HEAT_CHECK(T)                                                                 \
  template std::vector<T> own_cells<T>(const grid::FieldLayout&, const T*);                    \
  template report::Verification verify_heat<T>(const comm::Communicator&, const HeatSettings&, \
                                               const stencil::InitialField&, HeatReference&,   \
                                               const std::vector<T>&);                         \
  template void write_heat_fields<T>(const comm::Communicator&, const HeatSettings&,           \
                                     const std::filesystem::path&, const std::string&,         \
                                     const std::vector<T>&);
HALOHEAP_HEAT_CHECK(float)
HALOHEAP_HEAT_CHECK(double)
#undef HALOHEAP_HEAT_CHECK

}  // namespace haloheap
