// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/miniapp/problems/grids/grid_model.hpp>
#include <haloheap/miniapp/problems/grids/grid_run.hpp>

#include <limits>
#include <type_traits>

namespace haloheap {
namespace {

template <class T>
constexpr const char* scalar_name() {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "give the type a name for results");
  return std::is_same_v<T, float> ? "float" : "double";
}

/// @param field on the host
template <class T>
void set_own(const CellValues<T>& start, const grid::FieldLayout& layout, const grid::Box& own, T* field) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  const grid::Index rows = layout.own.y * layout.own.z * layout.quantities;
  Kokkos::parallel_for("haloheap::grids::start",
                       Kokkos::RangePolicy<Host, Kokkos::IndexType<grid::Index>>(0, rows),
                       [&](grid::Index row) {
                         const grid::Index y = row % layout.own.y, z = row / layout.own.y % layout.own.z;
                         const int quantity = static_cast<int>(row / layout.own.y / layout.own.z);
                         T* const to = field + layout.at({0, y, z}, quantity);
                         for (grid::Index x = 0; x < layout.own.x; ++x)
                           to[x] = start(quantity, {own.lo.x + x, own.lo.y + y, own.lo.z + z});
                       });
  Host().fence("haloheap::grids::start");
}

}  // namespace

template <class T>
GridModelOf<T>::GridModelOf(const GridSize& size, GridFacts facts)
    : GridModel(size, std::move(facts), sizeof(T), scalar_name<T>()) {}

template <class T>
std::vector<T> GridModelOf<T>::start_cells(const grid::Box& box) const {
  const CellValues<T> value = start();
  std::vector<T> cells;
  cells.reserve(static_cast<std::size_t>(box.cells() * fields()));
  for (int field = 0; field < fields(); ++field)
    for (grid::Index z = box.lo.z; z < box.hi.z; ++z)
      for (grid::Index y = box.lo.y; y < box.hi.y; ++y)
        for (grid::Index x = box.lo.x; x < box.hi.x; ++x) cells.push_back(value(field, {x, y, z}));
  return cells;
}

template <class T>
std::function<void(const backend::Exec&, T* field)> GridModelOf<T>::fill(const grid::FieldLayout& layout,
                                                                         const grid::Box& own) const {
  return [start = start(), layout, own](const backend::Exec& exec, T* field) {
    if constexpr (backend::kernels_on_host) {
      set_own(start, layout, own, field);
    } else {
      std::vector<T> values(static_cast<std::size_t>(layout.size()), std::numeric_limits<T>::quiet_NaN());
      set_own(start, layout, own, values.data());
      backend::copy_async(exec, field, values.data(), values.size() * sizeof(T));
      exec.fence("haloheap::grids::start");
    }
  };
}

template <class T>
report::Point GridModelOf<T>::run(const RunContext& context, const GridSettings& settings,
                                  GridReference& reference) const {
  return GridRun<T>(context, settings, *this, reference).run();
}

#define HALOHEAP_INSTANTIATE(T) template class GridModelOf<T>;
HALOHEAP_GRID_VALUES(HALOHEAP_INSTANTIATE)
#undef HALOHEAP_INSTANTIATE

}  // namespace haloheap
