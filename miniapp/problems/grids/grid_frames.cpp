// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/miniapp/problems/grids/grid_fields.hpp>
#include <haloheap/miniapp/problems/grids/grid_frames.hpp>
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

#define HALOHEAP_INSTANTIATE(T)                                                       \
  template void write_frames(const RunContext&, const GridSettings&, GridStepper<T>&, \
                             const std::function<void(grid::Index)>&);
HALOHEAP_GRID_VALUES(HALOHEAP_INSTANTIATE)
#undef HALOHEAP_INSTANTIATE

}  // namespace haloheap
