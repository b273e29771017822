// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_SKELETONS_REDUCE_HPP
#define HALOHEAP_CORE_COHERENCE_SKELETONS_REDUCE_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/coherence/skeletons/operands.hpp>

#include <memory>
#include <typeinfo>

namespace haloheap::coherence {

/// The sum of values; that of none is T{}.
template <class T>
struct Sum {
  KOKKOS_FUNCTION T operator()(const T& a, const T& b) const { return a + b; }
  KOKKOS_FUNCTION static constexpr T identity() { return T{}; }
};
/// The largest of values; that of none is minus infinity, or the smallest value of a type without infinity.
template <class T>
struct Max {
  KOKKOS_FUNCTION T operator()(const T& a, const T& b) const { return a < b ? b : a; }
  KOKKOS_FUNCTION static constexpr T identity() {
    if constexpr (std::is_floating_point_v<T>)
      return -Kokkos::Experimental::infinity_v<T>;
    else
      return Kokkos::Experimental::finite_min_v<T>;
  }
};
/// The smallest of values; that of none is infinity, or the largest value of a type without infinity.
template <class T>
struct Min {
  KOKKOS_FUNCTION T operator()(const T& a, const T& b) const { return b < a ? b : a; }
  KOKKOS_FUNCTION static constexpr T identity() {
    if constexpr (std::is_floating_point_v<T>)
      return Kokkos::Experimental::infinity_v<T>;
    else
      return Kokkos::Experimental::finite_max_v<T>;
  }
};

namespace detail {

/// Reductions have one shape whatever does the work, so that they have the same bits everywhere: chunks of
/// equal length; in each, `width` running values, joined by a tree; and then the chunks one after the other.
inline constexpr int width = 256;
inline constexpr ElementIndex max_chunks = 1024;
inline ElementIndex chunk_length(ElementIndex size) {
  const ElementIndex length = (size + max_chunks - 1) / max_chunks;
  return std::max<ElementIndex>(16 * width, (length + width - 1) / width * width);
}

/// The numbers of the chunks that `elements` are; they begin with a chunk.
inline Part chunks_of(const Part& elements, ElementIndex length) {
  return {elements.begin / length, (elements.end + length - 1) / length};
}

template <class Exec>
using TeamOf = typename Kokkos::TeamPolicy<Exec>::member_type;

/// How many threads a team has: what suits a device, and one on the host, be it in its own space or in that
/// of an emulated device.
template <class Space>
constexpr int team_size() {
  return std::is_same_v<Space, backend::Exec> && !backend::kernels_on_host ? width : 1;
}

template <class Exec, class T>
Kokkos::TeamPolicy<Exec> chunk_policy(const Exec& exec, ElementIndex chunks, int values) {
  return Kokkos::TeamPolicy<Exec>(exec, static_cast<int>(chunks), team_size<Exec>())
      .set_scratch_size(0, Kokkos::PerTeam(static_cast<std::size_t>(values) * sizeof(T) + 64));
}

template <class Exec, class F, class Op, class R, class Ins>
struct ReduceKernel {
  using Scratch =
      Kokkos::View<R*, typename Exec::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  F f;
  Op op;
  Ins in;
  R* partial;  // of chunk first_chunk and on
  ElementIndex first_chunk, length, size;

  KOKKOS_FUNCTION void operator()(const TeamOf<Exec>& team) const {
    const Scratch values(team.team_scratch(0), width);
    const ElementIndex begin = (first_chunk + team.league_rank()) * length;
    const ElementIndex end = begin + length < size ? begin + length : size;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, width), [&](int kind) {
      R value = Op::identity();
      for (ElementIndex i = begin + kind; i < end; i += width) value = op(value, in.call(f, i));
      values(kind) = value;
    });
    for (int half = width / 2; half > 0; half /= 2) {
      team.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, half),
                           [&](int kind) { values(kind) = op(values(kind), values(kind + half)); });
    }
    team.team_barrier();
    Kokkos::single(Kokkos::PerTeam(team), [&]() { partial[team.league_rank()] = values(0); });
  }
};

/// One value a chunk, for one call: calls that several threads make at once have a vector each. The context
/// lends it and keeps it for the next call.
template <class R>
class Partials {
 public:
  explicit Partials(Context& context) : store_(context), lent_(store_.lend(typeid(Vector<R>))) {
    if (!lent_) lent_ = std::make_shared<Vector<R>>(context, "partial results", max_chunks);
  }
  ~Partials() { store_.give_back(typeid(Vector<R>), std::move(lent_)); }
  Partials(const Partials&) = delete;
  Partials& operator=(const Partials&) = delete;

  Vector<R>& vector() const { return *static_cast<Vector<R>*>(lent_.get()); }

 private:
  detail::ElementStore store_;
  std::shared_ptr<void> lent_;
};

template <class Exec, class R, class F, class Op, class Ins>
void launch_chunks(const Exec& exec, const std::string& label, ElementIndex chunks,
                   const ReduceKernel<Exec, F, Op, R, Ins>& kernel) {
  backend::parallel_for(label, chunk_policy<Exec, R>(exec, chunks, width), kernel);
}

/// Fills the chunks' partial results, [0, chunks) of `partial`.
template <class R, class Op, class F, class First, class... In>
void reduce_chunks(const Workers& given, const std::string& label, Vector<R>& partial, const Op& op,
                   const F& f, Operand<First>& first, Operand<In>&... in) {
  const Workers workers = workers_of(given, first.context(), first.object());
  using Ins = InputsOf<typename First::value_type, typename In::value_type...>;
  Context& context = first.context();
  const ElementIndex size = first.size(), length = chunk_length(size);
  const ElementIndex chunks = (size + length - 1) / length;
  (require_same_size(first.label(), size, in.label(), in.size()), ...);
  Operand<Vector<R>> out(partial.slice(0, chunks));
  const auto each = [&](const auto& work) { for_each_part(workers, context, size, length, work); };
  const auto hold = [&] {
    each([&](int part, Place place, const Part& mine) {
      const Part of_mine = chunks_of(mine, length);
      first.hold(part, place, mine.begin, mine.end, Access::read);
      (in.hold(part, place, mine.begin, mine.end, Access::read), ...);
      out.hold(part, place, of_mine.begin, of_mine.end, Access::write);
    });
  };
  hold_all(hold, first, in..., out);
  first.bring();
  (in.bring(), ...);
  out.bring();
  each([&](int part, Place place, const Part& mine) {
    const Part of_mine = chunks_of(mine, length);
    const Ins ins{{first.data(part)}, {in.data(part)}...};
    with_exec(context, place, [&](const auto& exec) {
      using Space = std::decay_t<decltype(exec)>;
      launch_chunks(exec, label, of_mine.end - of_mine.begin,
                    ReduceKernel<Space, F, Op, R, Ins>{f, op, ins, out.data(part) + of_mine.begin,
                                                       of_mine.begin, length, size});
    });
  });
  finish_all(first, in..., out);
}

template <class R, class Op, class F, class First, class... In>
R map_reduce(const Workers& workers, const std::string& label, const Op& op, const F& f, Operand<First> first,
             Operand<In>... in) {
  const ElementIndex size = first.size();
  if (size == 0) return Op::identity();
  const ElementIndex length = chunk_length(size), chunks = (size + length - 1) / length;
  const Partials<R> partials(first.context());
  {
    Operand<First> held = std::move(first);
    reduce_chunks<R>(workers, label, partials.vector(), op, f, held, in...);
  }
  R result = Op::identity();
  const auto values = std::as_const(partials.vector()).read(0, chunks);
  for (const R& value : values) result = op(result, value);
  return result;
}

struct Same {
  template <class T>
  KOKKOS_FUNCTION T operator()(const T& value) const {
    return value;
  }
};

}  // namespace detail

/// The join of f(in[i]...) over all i, of matrices row after row, by an operation that may be associated at
/// will: Sum<R>, Max<R>, Min<R> or one like them. The same bits on any number of devices and on any backend.
/// Blocks.
template <class R, class Op, class F, class... In>
R map_reduce(const Workers& workers, const std::string& label, const Op& op, const F& f, const In&... in) {
  const ElementIndex size = detail::size_of_call(in...);
  return detail::map_reduce<R>(workers, label, op, f, detail::read_only(detail::as_slice(in, size))...);
}

/// The join of all elements.
template <class Op, class In>
auto reduce(const Workers& workers, const std::string& label, const Op& op, const In& in) {
  return map_reduce<detail::ValueOf<const In>>(workers, label, op, detail::Same{}, in);
}

}  // namespace haloheap::coherence

#endif
