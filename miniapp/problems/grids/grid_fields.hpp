// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_FIELDS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_FIELDS_HPP

#include <haloheap/miniapp/problems/grids/grid_settings.hpp>

#include <vector>

namespace haloheap {

/// The own cells of a device field on the host, by field, z, y, x, without halos.
template <class T>
std::vector<T> own_cells(const grid::FieldLayout& layout, const T* device_field);

/// Writes one .vti a rank and one .pvti. Collective.
template <class T>
void write_grid_fields(const RunContext& context, const GridSettings& settings, const std::vector<T>& cells);

}  // namespace haloheap

#endif
