// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_SKELETONS_MAP_HPP
#define HALOHEAP_CORE_COHERENCE_SKELETONS_MAP_HPP

#include <haloheap/core/coherence/skeletons/operands.hpp>

namespace haloheap::coherence {

namespace detail {

template <class F, class T, class Ins>
struct MapKernel {
  F f;
  T* out;
  Ins in;
  KOKKOS_FUNCTION void operator()(ElementIndex i) const { out[i] = in.call(f, i); }
};

template <class F, class T>
struct MapIndexKernel {
  F f;
  T* out;
  KOKKOS_FUNCTION void operator()(ElementIndex i) const { out[i] = f(i); }
};

template <class F, class T>
struct MapPlaceKernel {
  F f;
  T* out;
  ElementIndex columns;
  KOKKOS_FUNCTION void operator()(ElementIndex i) const { out[i] = f(i / columns, i % columns); }
};

template <class F, class T>
struct MapPlace3Kernel {
  F f;
  T* out;
  ElementIndex rows, columns;
  KOKKOS_FUNCTION void operator()(ElementIndex i) const {
    out[i] = f(i / (rows * columns), i / columns % rows, i % columns);
  }
};

template <class F, class T, class W, class Ins>
struct MapArrayKernel {
  F f;
  T* out;
  const W* whole;
  Ins in;
  KOKKOS_FUNCTION void operator()(ElementIndex i) const { out[i] = in.call(f, i, i, whole); }
};

/// Holds what the parts of an element-wise call use. An input that is the output is the same access.
template <class Out, class... In>
void hold_parts(const Workers& workers, Operand<Out>& out, Operand<In>&... in) {
  (require_same_size(out.label(), out.size(), in.label(), in.size()), ...);
  ((out.same_vector(in) && !out.same_elements(in) ? require_whole_parts(out.label()) : void()), ...);
  require_whole_rows(out);
  const ElementIndex grain = common_grain(out, in...);
  const auto hold = [&](auto& operand, Access access) {
    for_each_part(workers, out.context(), out.size(), grain, [&](int part, Place place, const Part& mine) {
      operand.hold(part, place, mine.begin, mine.end, access);
    });
  };
  ((out.same_elements(in) ? void() : hold(in, Access::read)), ...);
  const bool in_place = (false || ... || out.same_elements(in));
  hold(out, in_place ? Access::read_write : Access::write);
}

/// Every part uses all of an operand.
template <class Array>
void hold_whole(const Workers& workers, Operand<Array>& whole) {
  const Context& context = whole.context();
  for (int part = 0; part < workers.parts(context); ++part)
    whole.hold(part, workers.place(context, part), 0, whole.size(), Access::read);
}

/// Inputs first, over all parts, as [Dastgeer2016] does: what is copied whence depends on it.
template <class... Operands>
void bring_all(Operands&... operands) {
  (operands.bring(), ...);
}

/// All that an element-wise call uses, and all of one more operand.
template <class Out, class Array, class... In>
void bring_with_whole(const Workers& workers, Operand<Out>& out, Operand<Array>& whole, Operand<In>&... in) {
  if (out.same_vector(whole)) require_whole_parts(out.label());
  hold_all(
      [&] {
        hold_whole(workers, whole);
        hold_parts(workers, out, in...);
      },
      out, whole, in...);
  bring_all(whole, in..., out);
}

template <class Out, class In>
const typename In::value_type* input_data(const Operand<Out>& out, const Operand<In>& in, int part) {
  if constexpr (std::is_same_v<typename Out::value_type, typename In::value_type>)
    if (out.same_elements(in)) return out.data(part);
  return in.data(part);
}

template <class Out, class Launch>
void launch_parts(const Workers& workers, const std::string& label, const Operand<Out>& out,
                  ElementIndex grain, const Launch& kernel_of) {
  const Context& context = out.context();
  for_each_part(workers, context, out.size(), grain, [&](int part, Place place, const Part& mine) {
    launch(context, label, place, mine.begin, mine.end, kernel_of(part));
  });
}

template <class F, class Out, class... In>
void map(const Workers& given, const std::string& label, Operand<Out> out, const F& f, Operand<In>... in) {
  const Workers workers = workers_of(given, out.context(), out.object());
  using T = typename Out::value_type;
  using Ins = InputsOf<typename In::value_type...>;
  hold_all([&] { hold_parts(workers, out, in...); }, out, in...);
  bring_all(in..., out);
  launch_parts(workers, label, out, common_grain(out, in...), [&](int part) {
    return MapKernel<F, T, Ins>{f, out.data(part), Ins{{input_data(out, in, part)}...}};
  });
  finish_all(out, in...);
}

template <class F, class Out, class Array, class... In>
void map_array(const Workers& given, const std::string& label, Operand<Out> out, const F& f,
               Operand<Array> whole, Operand<In>... in) {
  const Workers workers = workers_of(given, out.context(), out.object());
  using T = typename Out::value_type;
  using W = typename Array::value_type;
  using Ins = InputsOf<typename In::value_type...>;
  bring_with_whole(workers, out, whole, in...);
  launch_parts(workers, label, out, common_grain(out, in...), [&](int part) {
    return MapArrayKernel<F, T, W, Ins>{f, out.data(part), whole.data(part),
                                        Ins{{input_data(out, in, part)}...}};
  });
  finish_all(out, whole, in...);
}

template <class Out, class KernelOf>
void map_index(const Workers& given, const std::string& label, Operand<Out> out, const KernelOf& kernel_of) {
  const Workers workers = workers_of(given, out.context(), out.object());
  hold_all([&] { hold_parts(workers, out); }, out);
  out.bring();
  launch_parts(workers, label, out, out.grain(), [&](int part) { return kernel_of(out.data(part)); });
}

}  // namespace detail

/// out[i] = f(in[i]...). Operands are vectors, slices and iterators with one number of elements, and matrices
/// of one shape, row after row; out may be one of the inputs.
template <class Out, class F, class... In>
void map(const Workers& workers, const std::string& label, Out&& out, const F& f, const In&... in) {
  const ElementIndex size = detail::size_of_call<std::decay_t<Out>>(out, in...);
  detail::map(workers, label, detail::Operand(detail::as_slice(out, size)), f,
              detail::read_only(detail::as_slice(in, size))...);
}

/// out[i] = f(i): nothing is read, and nothing is brought.
template <class Out, class F>
void map_index(const Workers& workers, const std::string& label, Out&& out, const F& f) {
  detail::map_index(workers, label, detail::Operand(detail::as_slice(out)), [&](auto* data) {
    return detail::MapIndexKernel<F, detail::ValueOf<Out>>{f, data};
  });
}
/// out(row, column) = f(row, column)
template <class T, class F>
void map_index(const Workers& workers, const std::string& label, Matrix<T>& out, const F& f) {
  detail::map_index(workers, label, detail::Operand(detail::as_slice(out)), [&](T* data) {
    return detail::MapPlaceKernel<F, T>{f, data, out.columns()};
  });
}
/// out(plane, row, column) = f(plane, row, column)
template <class T, class F>
void map_index(const Workers& workers, const std::string& label, Tensor3<T>& out, const F& f) {
  detail::map_index(workers, label, detail::Operand(detail::as_slice(out)), [&](T* data) {
    return detail::MapPlace3Kernel<F, T>{f, data, out.rows(), out.columns()};
  });
}

/// out[i] = f(i, whole, in[i]...), where `whole` is a pointer to all elements of an operand that every device
/// has, of a matrix row after row.
template <class Out, class F, class Whole, class... In>
void map_array(const Workers& workers, const std::string& label, Out&& out, const F& f, const Whole& whole,
               const In&... in) {
  const ElementIndex size = detail::size_of_call<std::decay_t<Out>>(out, in...);
  detail::map_array(workers, label, detail::Operand(detail::as_slice(out, size)), f,
                    detail::read_only(detail::as_slice(whole)),
                    detail::read_only(detail::as_slice(in, size))...);
}

}  // namespace haloheap::coherence

#endif
