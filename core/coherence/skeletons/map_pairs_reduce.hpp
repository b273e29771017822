// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_SKELETONS_MAP_PAIRS_REDUCE_HPP
#define HALOHEAP_CORE_COHERENCE_SKELETONS_MAP_PAIRS_REDUCE_HPP

#include <haloheap/core/coherence/skeletons/map.hpp>
#include <haloheap/core/coherence/skeletons/reduce.hpp>

namespace haloheap::coherence {

namespace detail {

/// Sums over partners have one shape whatever computes them: so many running sums, joined by a tree.
inline constexpr int pair_sums = 32;

/// Running sum `number` of element i.
template <class Pairs, class W>
KOKKOS_FUNCTION typename Pairs::Sum running_sum(const Pairs& pairs, ElementIndex i, const W* whole,
                                                ElementIndex partners, int number) {
  typename Pairs::Sum sum{};
  for (ElementIndex j = number; j < partners; j += pair_sums) pairs.pair(i, whole, j, sum);
  return sum;
}

template <class Exec, class Pairs, class T, class W, class Ins>
struct MapPairsReduceKernel {
  using Sum = typename Pairs::Sum;
  using Scratch =
      Kokkos::View<Sum*, typename Exec::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  static constexpr int elements = team_size<Exec>() / pair_sums > 0 ? team_size<Exec>() / pair_sums : 1;

  Pairs pairs;
  T* out;
  const W* whole;
  Ins in;
  ElementIndex begin, end, partners;

  KOKKOS_FUNCTION void operator()(const TeamOf<Exec>& team) const {
    const Scratch scratch(team.team_scratch(0), elements * pair_sums);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, elements), [&](int element) {
      const ElementIndex i = begin + static_cast<ElementIndex>(team.league_rank()) * elements + element;
      if (i >= end) return;
      Sum* const sums = &scratch(element * pair_sums);
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, pair_sums),
                           [&](int kind) { sums[kind] = running_sum(pairs, i, whole, partners, kind); });
      for (int half = pair_sums / 2; half > 0; half /= 2)
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, half),
                             [&](int kind) { sums[kind] += sums[kind + half]; });
      Kokkos::single(Kokkos::PerThread(team), [&]() {
        out[i] = in.call(Result{pairs, sums[0]}, i, i, whole);
      });
    });
  }

 private:
  struct Result {
    const Pairs& pairs;
    const Sum& sum;
    template <class... In>
    KOKKOS_FUNCTION T operator()(ElementIndex i, const W* array, const In&... values) const {
      return pairs.result(i, array, sum, values...);
    }
  };
};

template <class Exec, class Kernel>
void launch_pairs_reduce(const Exec& exec, const std::string& label, const Kernel& kernel) {
  constexpr int elements = Kernel::elements;
  const int teams = static_cast<int>((kernel.end - kernel.begin + elements - 1) / elements);
  constexpr int lanes = team_size<Exec>() > 1 ? pair_sums : 1;
  const auto policy =
      Kokkos::TeamPolicy<Exec>(exec, teams, elements, lanes)
          .set_scratch_size(0, Kokkos::PerTeam(elements * pair_sums * sizeof(typename Kernel::Sum) + 64));
  backend::parallel_for(label, policy, kernel);
}

template <class Pairs, class Out, class Array, class... In>
void map_pairs_reduce(const Workers& given, const std::string& label, Operand<Out> out, const Pairs& pairs,
                      Operand<Array> whole, Operand<In>... in) {
  const Workers workers = workers_of(given, out.context(), out.object());
  using T = typename Out::value_type;
  using W = typename Array::value_type;
  using Ins = InputsOf<typename In::value_type...>;
  const Context& context = out.context();
  bring_with_whole(workers, out, whole, in...);
  for_each_part(
      workers, context, out.size(), common_grain(out, in...), [&](int part, Place place, const Part& mine) {
        const Ins ins{{input_data(out, in, part)}...};
        with_exec(context, place, [&](const auto& exec) {
          using Space = std::decay_t<decltype(exec)>;
          launch_pairs_reduce(
              exec, label,
              MapPairsReduceKernel<Space, Pairs, T, W, Ins>{pairs, out.data(part), whole.data(part), ins,
                                                            mine.begin, mine.end, whole.size()});
        });
      });
  finish_all(out, whole, in...);
}

}  // namespace detail

/// out[i] = pairs.result(i, whole, the sum over all j of pairs.pair(i, whole, j), in[i]...): all pairs of
/// elements, where every device has all of `whole`. Pairs has
///   struct Sum, all zero at first, with operator+=
///   void pair(ElementIndex i, const W* whole, ElementIndex j, Sum& sum) const    adds to it what j does to i
///   T result(ElementIndex i, const W* whole, const Sum& sum, const In&... in) const
/// as KOKKOS_FUNCTIONs. Sums have one shape: the same bits on any number of devices and on any backend.
/// (MapPairsReduce of SkePU 3.)
template <class Out, class Pairs, class Whole, class... In>
void map_pairs_reduce(const Workers& workers, const std::string& label, Out&& out, const Pairs& pairs,
                      const Whole& whole, const In&... in) {
  const ElementIndex size = detail::size_of_call<std::decay_t<Out>>(out, in...);
  detail::map_pairs_reduce(workers, label, detail::Operand(detail::as_slice(out, size)), pairs,
                           detail::read_only(detail::as_slice(whole)),
                           detail::read_only(detail::as_slice(in, size))...);
}

/// The same of one element, by the thread that calls.
template <class Pairs, class W, class... In>
auto pairs_of(const Pairs& pairs, ElementIndex i, const W* whole, ElementIndex partners, const In&... in) {
  std::array<typename Pairs::Sum, detail::pair_sums> sums;
  for (int kind = 0; kind < detail::pair_sums; ++kind)
    sums[static_cast<std::size_t>(kind)] = detail::running_sum(pairs, i, whole, partners, kind);
  for (std::size_t half = detail::pair_sums / 2; half > 0; half /= 2)
    for (std::size_t kind = 0; kind < half; ++kind) sums[kind] += sums[kind + half];
  return pairs.result(i, whole, sums[0], in...);
}

}  // namespace haloheap::coherence

#endif
