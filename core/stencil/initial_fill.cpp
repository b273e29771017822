// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/stencil/initial_fill.hpp>

namespace haloheap::stencil {
namespace {

using Exec = backend::Exec;
using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<grid::Index>>;

template <class T>
struct Poison {
  static constexpr T unset =
      std::numeric_limits<T>::has_quiet_NaN ? std::numeric_limits<T>::quiet_NaN() : T(0xAA);
  T* field;

  KOKKOS_FUNCTION void operator()(grid::Index i) const { field[i] = unset; }
};

template <class T>
struct FillOwn {
  T* field;
  grid::FieldLayout layout;
  grid::Triple cells, first;
  bool random;
  std::uint64_t seed;
  Kokkos::View<const double*, Exec, Kokkos::MemoryUnmanaged> factors;

  KOKKOS_FUNCTION void operator()(grid::Index i) const {
    const grid::Triple& n = layout.own;
    const grid::Triple cell{i % n.x, i / n.x % n.y, i / (n.x * n.y) % n.z};
    const int quantity = static_cast<int>(i / (n.x * n.y * n.z));
    double value;
    if (random) {
      value = random_value(seed, cells, {first.x + cell.x, first.y + cell.y, first.z + cell.z}, quantity);
    } else {
      const grid::Index start = quantity * (n.x + n.y + n.z);
      value = factors(start + cell.x) * factors(start + n.x + cell.y) * factors(start + n.x + n.y + cell.z);
    }
    field[layout.at(cell, quantity)] = static_cast<T>(value);
  }
};

}  // namespace

template <class T>
void poison(const Exec& exec, const grid::FieldLayout& layout, T* field) {
  Kokkos::parallel_for("haloheap::stencil::poison", Policy(exec, 0, layout.size()), Poison<T>{field});
}

template <class T>
InitialFill<T>::InitialFill(const InitialField& initial, const grid::FieldLayout& layout,
                            const grid::Box& own)
    : initial_(initial.initial()), cells_(initial.cells()), layout_(layout), own_(own) {
  if (initial_.kind == InitialKind::random) return;
  std::vector<double> local;
  for (int quantity = 0; quantity < layout.quantities; ++quantity)
    for (int dim = 0; dim < 3; ++dim) {
      const auto part =
          initial.factor(dim, quantity)
              .subspan(static_cast<std::size_t>(own.lo[dim]), static_cast<std::size_t>(own.extent(dim)));
      local.insert(local.end(), part.begin(), part.end());
    }
  factors_ = Kokkos::View<double*, Exec>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "haloheap::stencil::initial_factors"), local.size());
  Kokkos::deep_copy(factors_, Kokkos::View<const double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
                                  local.data(), local.size()));
}

template <class T>
void InitialFill<T>::run(const Exec& exec, T* field) const {
  poison(exec, layout_, field);
  const FillOwn<T> kernel{field,         layout_, cells_, own_.lo, initial_.kind == InitialKind::random,
                          initial_.seed, factors_};
  Kokkos::parallel_for("haloheap::stencil::initial_fill",
                       Policy(exec, 0, product(layout_.own) * layout_.quantities), kernel);
}

template void poison<float>(const Exec&, const grid::FieldLayout&, float*);
template void poison<double>(const Exec&, const grid::FieldLayout&, double*);
template void poison<std::uint8_t>(const Exec&, const grid::FieldLayout&, std::uint8_t*);
template class InitialFill<float>;
template class InitialFill<double>;

}  // namespace haloheap::stencil
