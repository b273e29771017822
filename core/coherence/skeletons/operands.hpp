// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_SKELETONS_OPERANDS_HPP
#define HALOHEAP_CORE_COHERENCE_SKELETONS_OPERANDS_HPP

#include <haloheap/core/base/error.hpp>
#include <haloheap/core/coherence/skeletons/workers.hpp>
#include <haloheap/core/coherence/vector.hpp>

#include <array>
#include <type_traits>
#include <utility>

namespace haloheap::coherence::detail {

template <class T>
Slice<Vector<T>> as_slice(Vector<T>& vector) {
  return vector.slice(0, vector.size());
}
template <class T>
Slice<const Vector<T>> as_slice(const Vector<T>& vector) {
  return vector.slice(0, vector.size());
}
template <class V>
Slice<V> as_slice(const Slice<V>& slice) {
  return slice;
}

/// An operand of a call of which each part uses some elements; they are held until the call is launched.
template <class V>
class Operand {
 public:
  using Value = typename V::value_type;
  using Element = std::conditional_t<std::is_const_v<V>, const Value, Value>;

  explicit Operand(const Slice<V>& slice) : slice_(slice) {}

  Index size() const { return slice_.size(); }
  Context& context() const { return slice_.vector.context(); }
  const std::string& label() const { return slice_.vector.label(); }

  /// Elements [begin, end) of the slice: held, and later brought.
  void hold(int part, Memory memory, Index begin, Index end, Access access) {
    held_[static_cast<std::size_t>(part)].hold(
        context(), {slice_.vector.object(), range(slice_.begin + begin, slice_.begin + end), memory, access});
    first_[static_cast<std::size_t>(part)] = begin;
  }
  void bring() {
    for (auto& held : held_) held.bring();
  }
  void release() {
    for (auto& held : held_) held.release();
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
    return slice_.vector.object() == other.slice().vector.object() && &context() == &other.context();
  }
  const Slice<V>& slice() const { return slice_; }

 private:
  Slice<V> slice_;
  std::array<DeviceAccessor<Element>, max_devices> held_;
  std::array<Index, max_devices> first_{};
};

template <class V>
auto read_only(const Slice<V>& slice) {
  return Operand<const V>({slice.vector, slice.begin, slice.end});
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

void require_same_size(const std::string& label, Index size, const std::string& other, Index other_size);
void require_whole_parts(const std::string& label);

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
  KOKKOS_FUNCTION auto call(const F& f, Index i, const Leading&... leading) const {
    return f(leading..., static_cast<const Input<I, T>&>(*this).data[i]...);
  }
};
template <class... T>
using InputsOf = Inputs<std::index_sequence_for<T...>, T...>;

}  // namespace haloheap::coherence::detail

#endif
