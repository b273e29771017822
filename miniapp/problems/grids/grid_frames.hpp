// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_FRAMES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_FRAMES_HPP

#include <haloheap/miniapp/problems/grids/grid_stepper.hpp>

namespace haloheap {

/// Steps that are done in a frame, of 0 to `frames`: frame 0 is the start, the last one the end.
inline grid::Index steps_until(grid::Index frame, grid::Index frames, grid::Index steps) {
  return frame * steps / frames;
}

/// Makes the steps once more, without any measurement, and writes the fields of each of settings.frames times
/// and of the start as write_grid_fields does, under POINT_frame0001 and so on, and POINT.pvd that lists
/// them. Collective. @param on_exchange is told the steps that are done
template <class T>
void write_frames(const RunContext& context, const GridSettings& settings, GridStepper<T>& stepper,
                  const std::function<void(grid::Index)>& on_exchange);

}  // namespace haloheap

#endif
