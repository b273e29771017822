// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/grid/boundary.hpp>
#include <haloheap/core/grid/for_cells.hpp>

#include <limits>

namespace haloheap::grid {
namespace {

template <class T>
struct FillOutside {
  T* field;
  FieldLayout layout;
  Box inside;
  bool fixed_low[3], fixed_high[3];
  T value;

  KOKKOS_FUNCTION void operator()(const Triple& cell, int quantity) const {
    Triple source = cell;
    bool fixed = false;
    for (int dim = 0; dim < 3; ++dim) {
      if (cell[dim] < inside.lo[dim]) {
        fixed |= fixed_low[dim];
        source[dim] = 2 * inside.lo[dim] - 1 - cell[dim];
      } else if (cell[dim] >= inside.hi[dim]) {
        fixed |= fixed_high[dim];
        source[dim] = 2 * inside.hi[dim] - 1 - cell[dim];
      }
    }
    field[layout.at(cell, quantity)] = fixed ? value : field[layout.at(source, quantity)];
  }
};

}  // namespace

Box whole_grid(int dims, const bool (&periodic)[3], const Triple& cells, const Box& own) {
  constexpr Index unbounded = std::numeric_limits<std::int32_t>::max();
  Box box;
  for (int dim = 0; dim < 3; ++dim) {
    const bool bounded = dim < dims && !periodic[dim];
    box.lo[dim] = bounded ? -own.lo[dim] : -unbounded;
    box.hi[dim] = bounded ? cells[dim] - own.lo[dim] : unbounded;
  }
  return box;
}

std::vector<Box> outside_boxes(const Box& region, const Box& inside, const Box& except) {
  std::vector<Box> outside;
  for (const Box& piece : subtract(region, inside))
    for (const Box& rest : subtract(piece, except)) outside.push_back(rest);
  return outside;
}

template <class T>
BoundaryFill<T>::BoundaryFill(const Boundary& boundary, const FieldLayout& layout, const Triple& cells,
                              const Box& own)
    : boundary_(boundary),
      layout_(layout),
      inside_(whole_grid(layout.dims, {boundary.periodic(0), boundary.periodic(1), boundary.periodic(2)},
                         cells, own)) {}

template <class T>
void BoundaryFill<T>::run(const Exec& exec, T* field, const Box& region, const Box& except) const {
  FillOutside<T> kernel{field, layout_, inside_, {}, {}, static_cast<T>(boundary_.value)};
  for (int dim = 0; dim < 3; ++dim) {
    kernel.fixed_low[dim] = boundary_.low[dim] == BoundaryKind::dirichlet;
    kernel.fixed_high[dim] = boundary_.high[dim] == BoundaryKind::dirichlet;
  }
  for_cells(exec, "haloheap::grid::boundary_fill", outside_boxes(region, inside_, except), layout_.quantities,
            kernel);
}

template class BoundaryFill<float>;
template class BoundaryFill<double>;

}  // namespace haloheap::grid
