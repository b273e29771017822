// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_FUSED_TASK_HPP
#define HALOHEAP_CORE_STENCIL_FUSED_TASK_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/grid/boundary.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/stencil/stencil.hpp>

#include <span>

namespace haloheap::stencil::detail {

/// What a launch of a fused kernel needs besides its kernel.
template <class T>
struct FusedTask {
  const backend::Exec& exec;
  const Stencil& stencil;
  const grid::FieldLayout& layout;
  const grid::Boundary& boundary;
  const grid::Box& inside;  ///< the whole grid in local coordinates
  const T* in;
  T* out;
  std::span<const grid::Box> boxes;  ///< none empty
  int steps;
};

}  // namespace haloheap::stencil::detail

#endif
