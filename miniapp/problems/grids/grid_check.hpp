// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_CHECK_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_CHECK_HPP

#include <haloheap/miniapp/problems/grids/grid_reference.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>

#include <vector>

namespace haloheap {

/// Compares every rank's cells with the serial reference, which rank 0 computes, bit for bit, and with the
/// known answer where there is one. Collective.
template <class T>
report::Verification verify_grid(const RunContext& context, const GridSettings& settings,
                                 const GridModelOf<T>& model, GridReference& reference,
                                 const std::vector<T>& cells);

}  // namespace haloheap

#endif
