// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_FILES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_FILES_HPP

#include <haloheap/miniapp/problems/grids/grid_stepper.hpp>

#include <vector>

namespace haloheap {

/// The own cells of a device field on the host, by field, z, y, x, without halos.
template <class T>
std::vector<T> own_cells(const grid::FieldLayout& layout, const T* device_field);

/// Writes one .vti a rank and one .pvti. Collective.
template <class T>
void write_grid_fields(const RunContext& context, const GridSettings& settings, const std::vector<T>& cells);

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
