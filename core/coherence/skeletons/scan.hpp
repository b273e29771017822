// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_SKELETONS_SCAN_HPP
#define HALOHEAP_CORE_COHERENCE_SKELETONS_SCAN_HPP

#include <haloheap/core/coherence/skeletons/reduce.hpp>

namespace haloheap::coherence {

/// Whether element i of a scan has in[i] in it.
enum class Scan { inclusive, exclusive };

namespace detail {

/// Each chunk goes through its elements `width` at a time; those by doubling distances in the team's scratch.
template <class Exec, class Op, class T>
struct ScanKernel {
  using Scratch =
      Kokkos::View<T*, typename Exec::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  Op op;
  const T* in;
  T* out;
  const T* before;  // of each chunk of this part: the join of all elements before it
  ElementIndex first_chunk, length, size;
  bool inclusive;

  KOKKOS_FUNCTION void operator()(const TeamOf<Exec>& team) const {
    const Scratch values(team.team_scratch(0), 2 * width);
    const ElementIndex begin = (first_chunk + team.league_rank()) * length;
    const ElementIndex end = begin + length < size ? begin + length : size;
    T carry = before[team.league_rank()];
    for (ElementIndex tile = begin; tile < end; tile += width) {
      const int from = scan_tile(team, values, tile, end);
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, width), [&](int kind) {
        if (tile + kind >= end) return;
        const bool none = !inclusive && kind == 0;
        const T value = none ? carry : op(carry, values(from + (inclusive ? kind : kind - 1)));
        out[tile + kind] = value;
      });
      carry = op(carry, values(from + width - 1));
      team.team_barrier();
    }
  }

 private:
  /// Where in the scratch the scanned tile stands.
  KOKKOS_FUNCTION int scan_tile(const TeamOf<Exec>& team, const Scratch& values, ElementIndex tile,
                                ElementIndex end) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, width), [&](int kind) {
      values(kind) = tile + kind < end ? in[tile + kind] : Op::identity();
    });
    int from = 0;
    for (int distance = 1; distance < width; distance *= 2) {
      team.team_barrier();
      const int to = width - from;
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, width), [&](int kind) {
        values(to + kind) =
            kind < distance ? values(from + kind) : op(values(from + kind - distance), values(from + kind));
      });
      from = to;
    }
    team.team_barrier();
    return from;
  }
};

template <class Op, class Out, class In>
void scan(const Workers& given, const std::string& label, const Op& op, Scan kind, Operand<Out> out,
          Operand<In> in) {
  const Workers workers = workers_of(given, out.context(), out.object());
  using T = typename Out::value_type;
  static_assert(std::is_same_v<Out, Vector<T>>, "parts of a scan are not rows of a matrix");
  const ElementIndex size = out.size();
  require_same_size(out.label(), size, in.label(), in.size());
  require_same_context(out, in);
  if (size == 0) return;
  if (out.same_vector(in) && !out.same_elements(in)) require_whole_parts(out.label());
  const bool in_place = out.same_elements(in);
  Context& context = out.context();
  const ElementIndex length = chunk_length(size), chunks = (size + length - 1) / length;
  const Partials<T> totals(context);
  {
    Operand<In> held(in.slice());
    reduce_chunks<T>(workers, label + "::totals", totals.vector(), op, Same{}, held);
  }
  {
    const auto values = totals.vector().read_write(0, chunks);
    T sum = Op::identity();
    for (T& value : values) {
      const T next = op(sum, value);
      value = sum;
      sum = next;
    }
  }
  Operand<const Vector<T>> before({totals.vector(), 0, chunks});
  const auto each = [&](const auto& work) { for_each_part(workers, context, size, length, work); };
  const auto hold = [&] {
    each([&](int part, Place place, const Part& mine) {
      const Part of_mine = chunks_of(mine, length);
      before.hold(part, place, of_mine.begin, of_mine.end, Access::read);
      if (!in_place) in.hold(part, place, mine.begin, mine.end, Access::read);
      out.hold(part, place, mine.begin, mine.end, in_place ? Access::read_write : Access::write);
    });
  };
  hold_all(hold, before, in, out);
  before.bring();
  in.bring();
  out.bring();
  each([&](int part, Place place, const Part& mine) {
    const Part of_mine = chunks_of(mine, length);
    const ElementIndex first = of_mine.begin;
    const T* const source = in_place ? out.data(part) : in.data(part);
    with_exec(context, place, [&](const auto& exec) {
      using Space = std::decay_t<decltype(exec)>;
      backend::parallel_for(label, chunk_policy<Space, T>(exec, of_mine.end - first, 2 * width),
                            ScanKernel<Space, Op, T>{op, source, out.data(part), before.data(part) + first,
                                                     first, length, size, kind == Scan::inclusive});
    });
  });
  finish_all(before, in, out);
}

}  // namespace detail

/// out[i] = the join of in[0], ..., in[i], or of those before i. out may be in. The same bits on any number
/// of devices and on any backend. Blocks for one value a chunk, which the host joins.
template <class Op, class Out, class In>
void scan(const Workers& workers, const std::string& label, const Op& op, Scan kind, Out&& out,
          const In& in) {
  const ElementIndex size = detail::size_of_call<std::decay_t<Out>>(out, in);
  detail::scan(workers, label, op, kind, detail::Operand(detail::as_slice(out, size)),
               detail::read_only(detail::as_slice(in, size)));
}

}  // namespace haloheap::coherence

#endif
