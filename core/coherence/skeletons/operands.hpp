// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_SKELETONS_OPERANDS_HPP
#define HALOHEAP_CORE_COHERENCE_SKELETONS_OPERANDS_HPP

#include <haloheap/core/base/error.hpp>
#include <haloheap/core/coherence/matrix.hpp>
#include <haloheap/core/coherence/tensor3.hpp>
#include <haloheap/core/coherence/vector.hpp>
#include <haloheap/core/coherence/workers.hpp>

#include <array>
#include <concepts>
#include <span>
#include <type_traits>
#include <utility>

namespace haloheap::coherence::detail {

template <class C>
concept AContainer = std::derived_from<std::remove_const_t<C>, Container<typename C::value_type>>;

/// Elements of an operand. An iterator by itself stands for as many elements as the call has: those that
/// follow.
template <AContainer C>
Slice<C> as_slice(C& container, ElementIndex /*of_call*/ = 0) {
  return {container, 0, container.size()};
}
template <class V>
Slice<V> as_slice(const Slice<V>& slice, ElementIndex /*of_call*/ = 0) {
  return slice;
}
template <class V, class Reference>
Slice<V> as_slice(const ElementIterator<V, Reference>& first, ElementIndex of_call) {
  return slice(first, first + of_call);
}

template <class Given>
using ValueOf = typename decltype(as_slice(std::declval<Given&>(), 0))::value_type;

template <class Given>
inline constexpr bool has_size = true;
template <class V, class Reference>
inline constexpr bool has_size<ElementIterator<V, Reference>> = false;

/// Of the first operand that says how many elements the call has.
template <class First, class... Others>
ElementIndex size_of_call(const First& first, const Others&... others) {
  static_assert(has_size<First> || (has_size<Others> || ...),
                "one operand at least says how many elements the call has: slice(first, last)");
  if constexpr (has_size<First>)
    return first.size();
  else
    return size_of_call(others...);
}

/// Parts of a matrix are whole rows, those of a tensor whole planes, so that their elements lie together in
/// every copy that has all of them.
template <class T>
ElementIndex grain_of(const Vector<T>& /*vector*/) {
  return 1;
}
template <class T>
ElementIndex grain_of(const Container<T>& container) {
  return std::max<ElementIndex>(1, container.whole().columns());
}
template <class T>
Rect cover(const Vector<T>& /*vector*/, ElementIndex begin, ElementIndex end) {
  return range(begin, end);
}
/// The rows with elements [begin, end).
template <class T>
Rect cover(const Container<T>& container, ElementIndex begin, ElementIndex end) {
  const ElementIndex columns = container.whole().columns();
  if (columns == 0) return {};
  return {begin / columns, (end + columns - 1) / columns, 0, columns};
}

/// An operand of a call of which each part uses some elements; they are held until the call is launched.
template <class V>
class Operand {
 public:
  using Value = typename V::value_type;
  using Element = std::conditional_t<std::is_const_v<V>, const Value, Value>;

  explicit Operand(const Slice<V>& slice) : slice_(slice) {}

  ElementIndex size() const { return slice_.size(); }
  Context& context() const { return slice_.container.context(); }
  ObjectId object() const { return slice_.container.object(); }
  const std::string& label() const { return slice_.container.label(); }
  /// Parts that are written begin at multiples of it.
  ElementIndex grain() const { return grain_of(slice_.container); }

  /// Elements [begin, end) of the slice: held, and later brought; of a matrix all in their rows.
  void hold(int part, Place place, ElementIndex begin, ElementIndex end, Access access) {
    const Rect rect = cover(slice_.container, slice_.begin + begin, slice_.begin + end);
    held_[static_cast<std::size_t>(part)].hold(
        context(), {slice_.container.object(), rect, place.memory, access, place.instance});
    first_[static_cast<std::size_t>(part)] =
        rect.row * slice_.container.whole().columns() + rect.column - slice_.begin;
  }
  void bring() {
    for (auto& held : held_) held.bring();
  }
  void release() {
    for (auto& held : held_) held.release();
  }
  /// Its uses, which are over for this, from `to` on.
  void hand_over(Use*& to) {
    for (auto& held : held_)
      if (held.hand_over(*to)) ++to;
  }
  /// Such that data(part)[i] is element i of the slice.
  Element* data(int part) const {
    return held_[static_cast<std::size_t>(part)].data() - first_[static_cast<std::size_t>(part)];
  }

  template <class W>
  bool same_elements(const Operand<W>& other) const {
    return same_vector(other) && slice_.begin == other.slice().begin;
  }
  template <class W>
  bool same_vector(const Operand<W>& other) const {
    return slice_.container.object() == other.slice().container.object() && &context() == &other.context();
  }
  const Slice<V>& slice() const { return slice_; }

 private:
  Slice<V> slice_;
  std::array<DeviceAccessor<Element>, max_devices> held_;
  std::array<ElementIndex, max_devices> first_{};
};

template <class V>
auto read_only(const Slice<V>& slice) {
  return Operand<const V>({slice.container, slice.begin, slice.end});
}

/// Holds what a call uses. Copies that are there may be larger than its operands: where these do not fit
/// beside each other, a call begins anew without any.
template <class Hold, class Release>
void hold_all(Context& context, const Hold& hold, const Release& release) {
  try {
    return hold();
  } catch (const DeviceFull& full) {
    release();
    if (full.needed() > context.options().capacity) throw;
    detail::ElementStore(context).evict_unused();
    try {
      return hold();
    } catch (const DeviceFull&) {
      release();
    }
    throw;  // the first: it says what could be freed
  }
}

void require_same_context(const Context& context, const std::string& label, const Context& other_context,
                          const std::string& other);

/// No event orders the work of two contexts.
template <class First, class... Others>
void require_same_context(const First& first, const Others&... others) {
  (require_same_context(first.context(), first.label(), others.context(), others.label()), ...);
}

template <class Hold, class First, class... Operands>
void hold_all(const Hold& hold, First& first, Operands&... operands) {
  require_same_context(first, operands...);
  hold_all(first.context(), hold, [&] {
    first.release();
    (operands.release(), ...);
  });
}

/// The work of a call is enqueued: its uses end together, which takes an event a device instead of one a use.
template <class First, class... Operands>
void finish_all(First& first, Operands&... operands) {
  std::array<Use, max_devices*(1 + sizeof...(Operands))> uses;
  Use* end = uses.data();
  first.hand_over(end);
  (operands.hand_over(end), ...);
  ElementStore(first.context()).finish(std::span(uses.data(), end));
}

void require_same_size(const std::string& label, ElementIndex size, const std::string& other,
                       ElementIndex other_size);
void require_same_rows(const std::string& label, ElementIndex columns, ElementIndex grain);

/// Where parts of a call may begin. \throws UsageError for matrices with different rows
template <class... Operands>
ElementIndex common_grain(const Operands&... operands) {
  const ElementIndex grain = std::max({operands.grain()...});
  (require_same_rows(operands.label(), operands.grain(), grain), ...);
  return grain;
}
void require_whole_parts(const std::string& label);
void require_whole_rows(const std::string& label, const Part& written, ElementIndex grain);

/// Of what is written to a matrix: each device has rows of its own, and nothing is brought of them.
template <class Out>
void require_whole_rows(const Operand<Out>& out) {
  require_whole_rows(out.label(), {out.slice().begin, out.slice().end}, out.grain());
}

/// Pointers to the elements of the inputs, for kernels.
template <std::size_t I, class T>
struct Input {
  const T* data;
};
template <class Numbers, class... T>
struct Inputs;
template <std::size_t... I, class... T>
struct Inputs<std::index_sequence<I...>, T...> : Input<I, T>... {
  /// f(leading..., element i of each input)
  template <class F, class... Leading>
  KOKKOS_FUNCTION auto call(const F& f, ElementIndex i, const Leading&... leading) const {
    return f(leading..., static_cast<const Input<I, T>&>(*this).data[i]...);
  }
};
template <class... T>
using InputsOf = Inputs<std::index_sequence_for<T...>, T...>;

}  // namespace haloheap::coherence::detail

#endif
