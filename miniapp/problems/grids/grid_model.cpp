// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/base/host_threads.hpp>
#include <haloheap/miniapp/problems/grids/grid_model.hpp>
#include <haloheap/miniapp/problems/grids/grid_run.hpp>

#include <limits>
#include <type_traits>

namespace haloheap {
namespace {

template <class T>
constexpr const char* scalar_name() {
  static_assert(std::is_floating_point_v<T> || std::is_same_v<T, std::uint8_t>,
                "give the type a name for results");
  if (std::is_integral_v<T>) return "uint8";
  return std::is_same_v<T, float> ? "float" : "double";
}

/// @param field on the host
template <class T>
void set_own(const CellValues<T>& start, const grid::FieldLayout& layout, const grid::Box& own, T* field) {
  const grid::Index rows = layout.own.y * layout.own.z * layout.quantities;
  const auto set_row = [&](grid::Index row) {
    const grid::Index y = row % layout.own.y, z = row / layout.own.y % layout.own.z;
    const int quantity = static_cast<int>(row / layout.own.y / layout.own.z);
    T* const to = field + layout.at({0, y, z}, quantity);
    for (grid::Index x = 0; x < layout.own.x; ++x)
      to[x] = start(quantity, {own.lo.x + x, own.lo.y + y, own.lo.z + z});
  };
  if constexpr (backend::kernels_on_host) {
    using Host = Kokkos::DefaultHostExecutionSpace;
    Kokkos::parallel_for("haloheap::grids::start",
                         Kokkos::RangePolicy<Host, Kokkos::IndexType<grid::Index>>(0, rows), set_row);
    Host().fence("haloheap::grids::start");
  } else {
    base::share_among_threads(rows, base::allowed_cpus(), [&](grid::Index begin, grid::Index end) {
      for (grid::Index row = begin; row < end; ++row) set_row(row);
    });
  }
}

/// On the host, for a field on a device.
template <class T>
std::vector<T> own_values(const CellValues<T>& start, const grid::FieldLayout& layout, const grid::Box& own) {
  std::vector<T> all(static_cast<std::size_t>(layout.size()), std::numeric_limits<T>::quiet_NaN());
  set_own(start, layout, own, all.data());
  return all;
}

template <class T>
void copy_values(const backend::Exec& exec, const std::vector<T>& values, T* fields) {
  backend::copy_async(exec, fields, values.data(), values.size() * sizeof(T));
  exec.fence("haloheap::grids::start");
}

}  // namespace

template <class T>
void fill_own(const backend::Exec& exec, const CellValues<T>& values, const grid::FieldLayout& layout,
              const grid::Box& own, T* fields) {
  if constexpr (backend::kernels_on_host)
    set_own(values, layout, own, fields);
  else
    copy_values(exec, own_values(values, layout, own), fields);
}

template <class T>
GridModelOf<T>::GridModelOf(const GridSize& size, GridFacts facts)
    : GridModel(size, std::move(facts), sizeof(T), scalar_name<T>()) {}

template <class T>
std::function<void(const backend::Exec&, T* field)> GridModelOf<T>::fill(const grid::FieldLayout& layout,
                                                                         const grid::Box& own) const {
  if constexpr (backend::kernels_on_host)
    return [start = start(), layout, own](const backend::Exec& exec, T* field) {
      fill_own(exec, start, layout, own, field);
    };
  else  // Each repetition begins with them, and a host takes longer to compute them than a device for a run.
    return [values = std::make_shared<const std::vector<T>>(own_values(start(), layout, own))](
               const backend::Exec& exec, T* field) { copy_values(exec, *values, field); };
}

template <class T>
void GridModelOf<T>::advance(comm::DeepHalo<T>& halo, grid::Index steps,
                             const std::function<void(grid::Index)>& on_exchange) const {
  halo.advance(steps, on_exchange);
}

template <class T>
report::Point GridModelOf<T>::run(const RunContext& context, const GridSettings& settings,
                                  GridReference& reference) const {
  return GridRun<T>(context, settings, *this, reference).run();
}

#define HALOHEAP_INSTANTIATE(T)                                                                \
  template void fill_own(const backend::Exec&, const CellValues<T>&, const grid::FieldLayout&, \
                         const grid::Box&, T*);                                                \
  template class GridModelOf<T>;
HALOHEAP_GRID_VALUES(HALOHEAP_INSTANTIATE)
#undef HALOHEAP_INSTANTIATE

}  // namespace haloheap
