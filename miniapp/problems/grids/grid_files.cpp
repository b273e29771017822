// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/miniapp/problems/grids/grid_files.hpp>
#include <haloheap/miniapp/report/vti_writer.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

/// What takes time or memory and is to be had of measured runs only.
comm::DeepHaloConfig without_measurements(comm::DeepHaloConfig config) {
  config.phases = false;
  config.residual.reset();
  config.halo.desynchronisation = false;
  return config;
}

}  // namespace

template <class T>
std::vector<T> own_cells(const grid::FieldLayout& layout, const T* device_field) {
  const backend::Instance copies(backend::Priority::low);
  std::vector<T> all(static_cast<std::size_t>(layout.size()));
  backend::copy(copies.exec(), all.data(), device_field, all.size() * sizeof(T));
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
void write_grid_fields(const RunContext& context, const GridSettings& settings, const std::vector<T>& cells) {
  const comm::Communicator& communicator = context.communicator;
  const auto box_of = [&](int rank) {
    const grid::Box own = settings.own(rank);
    return report::VtiBox{{own.lo.x, own.lo.y, own.lo.z}, {own.hi.x, own.hi.y, own.hi.z}};
  };
  const auto file_of = [&](int rank) { return fmt::format("{}_rank{:04d}.vti", context.point_name, rank); };
  const report::VtiGrid grid{.size = {settings.cells().x, settings.cells().y, settings.cells().z}};
  const std::vector<std::string>& names = settings.model->facts().fields;
  std::vector<report::VtiQuantity<T>> quantities;
  const std::size_t each = cells.size() / names.size();
  for (std::size_t field = 0; field < names.size(); ++field)
    quantities.push_back({names[field], std::span<const T>(cells).subspan(field * each, each)});
  agree(communicator, [&] {
    report::write_vti<T>(context.folder / file_of(communicator.rank()), grid, box_of(communicator.rank()),
                         quantities);
    if (communicator.rank() != 0) return;
    std::vector<report::VtiPiece> pieces;
    for (int rank = 0; rank < communicator.size(); ++rank) pieces.push_back({file_of(rank), box_of(rank)});
    report::write_pvti<T>(context.folder / (context.point_name + ".pvti"), grid, pieces, names);
  });
}

template <class T>
void write_frames(const RunContext& context, const GridSettings& settings, GridStepper<T>& stepper,
                  const std::function<void(grid::Index)>& on_exchange) {
  stepper.make(without_measurements(settings.config));  // a new one: rules may ask for the step's number
  stepper.start();
  std::vector<report::PvdFrame> frames;
  for (grid::Index frame = 0, done = 0; frame <= settings.frames; ++frame) {
    const grid::Index until = steps_until(frame, settings.frames, settings.steps);
    if (until > done) stepper.advance(until - done, [&](grid::Index more) { on_exchange(done + more); });
    done = until;
    RunContext files = context;
    files.point_name += fmt::format("_frame{:04d}", frame);
    write_grid_fields(files, settings, stepper.cells_now());
    frames.push_back({files.point_name + ".pvti", done});
  }
  agree(context.communicator, [&] {
    if (context.communicator.rank() == 0)
      report::write_pvd(context.folder / (context.point_name + ".pvd"), frames);
  });
}

#define HALOHEAP_INSTANTIATE(T)                                                                   \
  template std::vector<T> own_cells(const grid::FieldLayout&, const T*);                          \
  template void write_grid_fields(const RunContext&, const GridSettings&, const std::vector<T>&); \
  template void write_frames(const RunContext&, const GridSettings&, GridStepper<T>&,             \
                             const std::function<void(grid::Index)>&);
HALOHEAP_GRID_VALUES(HALOHEAP_INSTANTIATE)
#undef HALOHEAP_INSTANTIATE

}  // namespace haloheap
