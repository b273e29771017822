// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_SKELETONS_MAP_PAIRS_HPP
#define HALOHEAP_CORE_COHERENCE_SKELETONS_MAP_PAIRS_HPP

#include <haloheap/core/coherence/skeletons/operands.hpp>

namespace haloheap::coherence {

namespace detail {

template <class F, class T, class D, class A>
struct MapPairsKernel {
  F f;
  T* out;
  const D* down;
  const A* across;
  ElementIndex columns;
  KOKKOS_FUNCTION void operator()(ElementIndex i) const {
    out[i] = f(down[i / columns], across[i % columns]);
  }
};

void require_pairs(const std::string& label, const Rect& whole, const std::string& down, ElementIndex rows,
                   const std::string& across, ElementIndex columns);

template <class F, class Out, class Down, class Across>
void map_pairs(const Workers& given, const std::string& label, Operand<Out> out, const F& f,
               Operand<Down> down, Operand<Across> across) {
  const Workers workers = workers_of(given, out.context(), out.object());
  using Kernel =
      MapPairsKernel<F, typename Out::value_type, typename Down::value_type, typename Across::value_type>;
  require_pairs(out.label(), out.slice().container.whole(), down.label(), down.size(), across.label(),
                across.size());
  const Context& context = out.context();
  const ElementIndex columns = out.grain();
  const auto each = [&](const auto& work) { for_each_part(workers, context, out.size(), columns, work); };
  const auto hold = [&] {
    each([&](int part, Place place, const Part& mine) {
      down.hold(part, place, mine.begin / columns, mine.end / columns, Access::read);
      across.hold(part, place, 0, columns, Access::read);
      out.hold(part, place, mine.begin, mine.end, Access::write);
    });
  };
  hold_all(hold, down, across, out);
  down.bring();
  across.bring();
  out.bring();
  each([&](int part, Place place, const Part& mine) {
    launch(context, label, place, mine.begin, mine.end,
           Kernel{f, out.data(part), down.data(part), across.data(part), columns});
  });
  finish_all(down, across, out);
}

}  // namespace detail

/// out(row, column) = f(down[row], across[column]): all pairs of elements of two vectors or slices, one with
/// the rows of a matrix, one with its columns. Every device has all of `across`. (MapPairs of SkePU 3.)
template <class T, class F, class Down, class Across>
void map_pairs(const Workers& workers, const std::string& label, Matrix<T>& out, const F& f, const Down& down,
               const Across& across) {
  detail::map_pairs(workers, label, detail::Operand(detail::as_slice(out)), f,
                    detail::read_only(detail::as_slice(down, out.rows())),
                    detail::read_only(detail::as_slice(across, out.columns())));
}

}  // namespace haloheap::coherence

#endif
