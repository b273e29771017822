// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_COPY_HPP
#define HALOHEAP_CORE_GRID_COPY_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/grid/box.hpp>

#include <cstddef>

namespace haloheap::grid {

/// The ceiling that a sweep is measured against: copies `bytes` bytes from one device array to another, as a
/// plain STREAM copy on host threads and as the device's own copy elsewhere. Both arrays 16-byte aligned.
void copy_baseline(const backend::Exec& exec, void* to, const void* from, std::size_t bytes);

}  // namespace haloheap::grid

#endif
