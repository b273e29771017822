// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_OWN_VALUES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_OWN_VALUES_HPP

#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/memory/array.hpp>

#include <vector>

namespace haloheap {

/// The own cells of a rank on the host, and how they get to the device and back.
template <class T>
class OwnValues {
 public:
  OwnValues(const grid::FieldLayout& layout, const grid::Box& own) : layout_(layout), own_(own) {}

  /// @param value of a cell's place in the whole grid
  template <class Value>
  void set(const backend::Exec& exec, const memory::Array<T>& field, const Value& value) const {
    std::vector<T> all(static_cast<std::size_t>(layout_.size()));
    visit([&](const grid::Triple& place, std::size_t at) { all[at] = static_cast<T>(value(place)); });
    backend::copy(exec, field.data(), all.data(), all.size() * sizeof(T));
  }
  /// visit(place in the whole grid, value)
  template <class Visit>
  void read(const backend::Exec& exec, const memory::Array<T>& field, const Visit& with) const {
    std::vector<T> all(static_cast<std::size_t>(layout_.size()));
    backend::copy(exec, all.data(), field.data(), all.size() * sizeof(T));
    visit([&](const grid::Triple& place, std::size_t at) { with(place, static_cast<double>(all[at])); });
  }

 private:
  template <class Visit>
  void visit(const Visit& with) const {
    for (grid::Index z = 0; z < layout_.own.z; ++z)
      for (grid::Index y = 0; y < layout_.own.y; ++y)
        for (grid::Index x = 0; x < layout_.own.x; ++x)
          with(grid::Triple{own_.lo.x + x, own_.lo.y + y, own_.lo.z + z},
               static_cast<std::size_t>(layout_.at({x, y, z})));
  }

  grid::FieldLayout layout_;
  grid::Box own_;
};

}  // namespace haloheap

#endif
