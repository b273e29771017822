// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_SKELETONS_MAP_OVERLAP_HPP
#define HALOHEAP_CORE_COHERENCE_SKELETONS_MAP_OVERLAP_HPP

#include <haloheap/core/coherence/matrix.hpp>
#include <haloheap/core/coherence/skeletons/operands.hpp>

namespace haloheap::coherence {

/// What a window reads beyond the ends.
template <class T>
struct Edge {
  enum class Kind { nearest, constant };
  Kind kind = Kind::nearest;
  T value{};
};

/// The neighbourhood of element i: window(-1), window(0), window(1), ...
template <class T>
struct Window {
  const T* data;
  ElementIndex i, size;
  Edge<T> edge;

  KOKKOS_FUNCTION T operator()(ElementIndex offset) const {
    const ElementIndex at = i + offset;
    if (at >= 0 && at < size) return data[at];
    if (edge.kind == Edge<T>::Kind::constant) return edge.value;
    return data[at < 0 ? 0 : size - 1];
  }
};

/// The neighbourhood of an element of a matrix: tile(row offset, column offset).
template <class T>
struct TileWindow {
  const T* data;
  ElementIndex row, column, rows, columns, pitch;
  Edge<T> edge;

  KOKKOS_FUNCTION T operator()(ElementIndex row_offset, ElementIndex column_offset) const {
    ElementIndex r = row + row_offset, c = column + column_offset;
    const bool inside = r >= 0 && r < rows && c >= 0 && c < columns;
    if (!inside && edge.kind == Edge<T>::Kind::constant) return edge.value;
    r = r < 0 ? 0 : r >= rows ? rows - 1 : r;
    c = c < 0 ? 0 : c >= columns ? columns - 1 : c;
    return data[r * pitch + c];
  }
};

/// The neighbourhood of an element of a tensor: block(plane offset, row offset, column offset).
template <class T>
struct CuboidWindow {
  const T* data;
  ElementIndex plane, row, column, planes, rows, columns;
  Edge<T> edge;

  KOKKOS_FUNCTION T operator()(ElementIndex plane_offset, ElementIndex row_offset,
                               ElementIndex column_offset) const {
    ElementIndex p = plane + plane_offset, r = row + row_offset, c = column + column_offset;
    const bool inside = p >= 0 && p < planes && r >= 0 && r < rows && c >= 0 && c < columns;
    if (!inside && edge.kind == Edge<T>::Kind::constant) return edge.value;
    p = p < 0 ? 0 : p >= planes ? planes - 1 : p;
    r = r < 0 ? 0 : r >= rows ? rows - 1 : r;
    c = c < 0 ? 0 : c >= columns ? columns - 1 : c;
    return data[(p * rows + r) * columns + c];
  }
};

namespace detail {

template <class F, class T>
struct MapOverlapBlockKernel {
  F f;
  T* out;
  CuboidWindow<T> window;
  KOKKOS_FUNCTION void operator()(ElementIndex i) const {
    CuboidWindow<T> mine = window;
    mine.plane = i / (window.rows * window.columns);
    mine.row = i / window.columns % window.rows;
    mine.column = i % window.columns;
    out[i] = f(mine);
  }
};

template <class F, class T>
struct MapOverlapKernel {
  F f;
  T* out;
  Window<T> window;
  KOKKOS_FUNCTION void operator()(ElementIndex i) const {
    Window<T> mine = window;
    mine.i = i;
    out[i] = f(mine);
  }
};

template <class F, class T>
struct MapOverlapTileKernel {
  F f;
  T* out;
  ElementIndex out_pitch;
  TileWindow<T> window;
  KOKKOS_FUNCTION void operator()(ElementIndex i) const {
    TileWindow<T> mine = window;
    mine.row = i / window.columns;
    mine.column = i % window.columns;
    out[mine.row * out_pitch + mine.column] = f(mine);
  }
};

template <class F, class Out, class In>
void map_overlap(const Workers& given, const std::string& label, Operand<Out> out, const F& f,
                 ElementIndex radius, const Edge<typename In::value_type>& edge, Operand<In> in) {
  const Workers workers = workers_of(given, out.context(), out.object());
  using T = typename In::value_type;
  static_assert(std::is_same_v<Out, Vector<typename Out::value_type>>, "both are vectors, or both matrices");
  const ElementIndex size = out.size();
  require_same_size(out.label(), size, in.label(), in.size());
  if (out.same_vector(in)) require_whole_parts(out.label());
  const Context& context = out.context();
  const auto each = [&](const auto& work) { for_each_part(workers, context, size, 1, work); };
  const auto hold = [&] {
    each([&](int part, Place place, const Part& mine) {
      in.hold(part, place, std::max<ElementIndex>(0, mine.begin - radius), std::min(size, mine.end + radius),
              Access::read);
    });
    each([&](int part, Place place, const Part& mine) {
      out.hold(part, place, mine.begin, mine.end, Access::write);
    });
  };
  hold_all(hold, in, out);
  in.bring();
  out.bring();
  each([&](int part, Place place, const Part& mine) {
    launch(context, label, place, mine.begin, mine.end,
           MapOverlapKernel<F, T>{f, out.data(part), Window<T>{in.data(part), 0, size, edge}});
  });
  finish_all(in, out);
}

}  // namespace detail

/// out[i] = f(window), where the window reaches `radius` elements of `in` to either side of i: the parts of
/// devices overlap by so much.
template <class Out, class F, class T, class In>
void map_overlap(const Workers& workers, const std::string& label, Out&& out, const F& f, ElementIndex radius,
                 const Edge<T>& edge, const In& in) {
  const ElementIndex size = detail::size_of_call<std::decay_t<Out>>(out, in);
  detail::map_overlap(workers, label, detail::Operand(detail::as_slice(out, size)), f, radius, edge,
                      detail::read_only(detail::as_slice(in, size)));
}

/// The same of matrices of one shape: the parts are rows.
template <class T, class F>
void map_overlap(const Workers& given, const std::string& label, Matrix<T>& out, const F& f,
                 ElementIndex radius, const Edge<T>& edge, const Matrix<T>& in) {
  const Workers workers = workers_of(given, out.context(), out.object());
  detail::require_same_size(out.label() + "' rows '", out.rows(), in.label() + "' rows '", in.rows());
  detail::require_same_size(out.label(), out.size(), in.label(), in.size());
  detail::require_same_context(out, in);
  if (out.object() == in.object()) detail::require_whole_parts(out.label());
  Context& context = out.context();
  const ElementIndex rows = out.rows(), columns = out.columns();
  std::array<DeviceAccessor<const T>, max_devices> inputs;
  std::array<DeviceAccessor<T>, max_devices> outputs;
  const auto rect = [&](ElementIndex begin, ElementIndex end) {
    return Rect{std::max<ElementIndex>(0, begin), std::min(rows, end), 0, columns};
  };
  const auto each = [&](const auto& work) { for_each_part(workers, context, rows, 1, work); };
  const auto hold = [&] {
    each([&](int part, Place place, const Part& mine) {
      inputs[static_cast<std::size_t>(part)].hold(
          context, {in.object(), rect(mine.begin - radius, mine.end + radius), place.memory, Access::read,
                    place.instance});
      outputs[static_cast<std::size_t>(part)].hold(
          context, {out.object(), rect(mine.begin, mine.end), place.memory, Access::write, place.instance});
    });
  };
  detail::hold_all(context, hold, [&] {
    for (auto& input : inputs) input.release();
    for (auto& output : outputs) output.release();
  });
  for (auto& input : inputs) input.bring();
  for (auto& output : outputs) output.bring();
  each([&](int part, Place place, const Part& mine) {
    const auto& input = inputs[static_cast<std::size_t>(part)];
    const auto& output = outputs[static_cast<std::size_t>(part)];
    const TileWindow<T> window{
        input.data() - input.rect().row * input.pitch(), 0, 0, rows, columns, input.pitch(), edge};
    launch(context, label, place, mine.begin * columns, mine.end * columns,
           detail::MapOverlapTileKernel<F, T>{f, output.data() - output.rect().row * output.pitch(),
                                              output.pitch(), window});
  });
}

/// The same of tensors of one shape: the parts are planes.
template <class T, class F>
void map_overlap(const Workers& given, const std::string& label, Tensor3<T>& out, const F& f,
                 ElementIndex radius, const Edge<T>& edge, const Tensor3<T>& in) {
  const Workers workers = workers_of(given, out.context(), out.object());
  if (out.planes() != in.planes() || out.rows() != in.rows() || out.columns() != in.columns())
    throw UsageError("'" + out.label() + "' and '" + in.label() + "' have different shapes",
                     "the call was not made", "use tensors of one shape");
  detail::Operand to(detail::as_slice(out));
  auto from = detail::read_only(detail::as_slice(in));
  if (to.same_vector(from)) detail::require_whole_parts(out.label());
  const Context& context = out.context();
  const ElementIndex size = out.size(), plane = to.grain();
  const auto each = [&](const auto& work) { for_each_part(workers, context, size, plane, work); };
  const auto hold = [&] {
    each([&](int part, Place place, const Part& mine) {
      from.hold(part, place, std::max<ElementIndex>(0, mine.begin - radius * plane),
                std::min(size, mine.end + radius * plane), Access::read);
      to.hold(part, place, mine.begin, mine.end, Access::write);
    });
  };
  detail::hold_all(hold, from, to);
  from.bring();
  to.bring();
  each([&](int part, Place place, const Part& mine) {
    const CuboidWindow<T> window{from.data(part), 0, 0, 0, out.planes(), out.rows(), out.columns(), edge};
    launch(context, label, place, mine.begin, mine.end,
           detail::MapOverlapBlockKernel<F, T>{f, to.data(part), window});
  });
  detail::finish_all(from, to);
}

}  // namespace haloheap::coherence

#endif
