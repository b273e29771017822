// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_GRID_COMPUTATION_HPP
#define HALOHEAP_COMM_HALO_GRID_COMPUTATION_HPP

#include <haloheap/comm/halo/deep_halo_config.hpp>
#include <haloheap/comm/halo/exchanged_fields.hpp>
#include <haloheap/comm/halo/field_data.hpp>
#include <haloheap/comm/halo/grid.hpp>
#include <haloheap/comm/value_type.hpp>
#include <haloheap/core/stencil/measure_kernel.hpp>
#include <haloheap/core/stencil/passes.hpp>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace haloheap::comm::detail {

/// Fields that no step changes, as a computation is given them.
struct GivenConstants {
  FieldMemory memory;
  ValueType type = ValueType::bytes;
  std::size_t value_bytes = 0;
  int fields = 0;
  /// Sets the cells outside the grid, as far as cells inside have them as neighbours.
  std::function<void(const backend::Exec&, const stencil::Subdomain&)> impose;

  /// @param of the fields that steps change
  grid::FieldLayout layout(const Grid& grid, const grid::FieldLayout& of) const {
    return grid.layout(of.halo.x, fields, value_bytes);
  }
};

/// A computation on a grid, as DeepHalo runs it.
struct GridComputation {
  Grid grid;
  stencil::Computation computation;
  ValueType type = ValueType::bytes;  ///< of all fields, unless they are mixed
  std::vector<StoredField> mixed;     ///< fields that have several types
  StepFacts facts;
  std::string name;                                        ///< of the rule's type
  std::vector<std::pair<std::string, std::string>> terms;  ///< what the ranks must agree on, with names
  std::function<void()> check;                             ///< throws what else forbids it
  std::optional<GivenConstants> constants;
};

/// Fields, or constants, in words by which those of a measure are compared with those of what is measured.
std::string fields_text(int dims, int count, ValueType type, const std::vector<StoredField>& mixed = {});

/// A measure of a computation's fields.
struct GridMeasure {
  stencil::Measurement measurement;
  std::string fields, constants;  ///< see fields_text; no constants, if it does not ask for them
};

}  // namespace haloheap::comm::detail

#endif
