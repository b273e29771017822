// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_VECTOR_HPP
#define HALOHEAP_CORE_COHERENCE_VECTOR_HPP

#include <haloheap/core/base/error.hpp>
#include <haloheap/core/coherence/container.hpp>
#include <haloheap/core/coherence/element.hpp>

#include <algorithm>
#include <deque>
#include <initializer_list>
#include <iterator>
#include <limits>

namespace haloheap::coherence {

/// Elements [begin, end) of a vector, for calls that use a part of it.
template <class V>
struct Slice {
  using value_type = typename V::value_type;

  V& container;
  ElementIndex begin, end;

  ElementIndex size() const { return end - begin; }
};

/// The same by iterators. \throws UsageError for those that enclose no part
template <class V, class Reference>
Slice<V> slice(const ElementIterator<V, Reference>& first, const ElementIterator<V, Reference>& last) {
  if (first.container() == nullptr || first.container() != last.container() || last < first)
    throw UsageError("two iterators that are not in order, or not of one container, enclose no part");
  return {*first.container(), first.index(), last.index()};
}

/// A vector whose elements may be used on the host and on all devices of its context, in parts that overlap
/// or not. Every use finds the newest values; what has to be moved for that is moved then, and not before.
template <class T>
class Vector : public Container<T> {
  using Base = Container<T>;

 public:
  using reference = ReferenceOf<Vector, T>;
  using const_reference = T;
  using iterator = ElementIterator<Vector, reference>;
  using const_iterator = ElementIterator<const Vector, T>;

  /// \throws OutOfMemory, UsageError for a size that there cannot be
  Vector(Context& context, std::string label, ElementIndex size,
         std::shared_ptr<memory::MemoryResource> memory = nullptr)
      : Base(context, label, {1, size, sizeof(T), label, true}, std::move(memory)) {}
  /// Of elements that are there: those of a View of the host, which lives on with the vector, or n of a
  /// pointer, which does not. While there is a vector they belong to it; when it has ended their memory holds
  /// the newest values. It may use less of it, and has no room for more. \throws UsageError for a View with
  /// gaps
  template <class... P>
  Vector(Context& context, std::string label, const Kokkos::View<T*, P...>& view)
      : Base(context, label, {1, static_cast<ElementIndex>(view.extent(0)), sizeof(T), label, true},
             detail::adopt(label, view)) {}
  Vector(Context& context, std::string label, T* data, ElementIndex n)
      : Vector(context, std::move(label),
               Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                   data, static_cast<std::size_t>(n))) {}
  Vector(Context& context, std::string label, std::initializer_list<T> values)
      : Vector(context, std::move(label), static_cast<ElementIndex>(values.size())) {
    std::copy(values.begin(), values.end(), this->data());
  }

  /// Access objects: elements [begin, end) on the host, or all.
  HostAccessor<const T> read() const { return read(0, this->size()); }
  HostAccessor<const T> read(ElementIndex begin, ElementIndex end) const {
    return on<HostAccessor<const T>>(on_host, begin, end, Access::read);
  }
  HostAccessor<T> write() { return write(0, this->size()); }
  HostAccessor<T> write(ElementIndex begin, ElementIndex end) {
    return on<HostAccessor<T>>(on_host, begin, end, Access::write);
  }
  HostAccessor<T> read_write() { return read_write(0, this->size()); }
  HostAccessor<T> read_write(ElementIndex begin, ElementIndex end) {
    return on<HostAccessor<T>>(on_host, begin, end, Access::read_write);
  }

  /// The same on a device.
  DeviceAccessor<const T> read(Place place) const { return read(place, 0, this->size()); }
  DeviceAccessor<const T> read(Place place, ElementIndex begin, ElementIndex end) const {
    return on<DeviceAccessor<const T>>(place, begin, end, Access::read);
  }
  DeviceAccessor<T> write(Place place) { return write(place, 0, this->size()); }
  DeviceAccessor<T> write(Place place, ElementIndex begin, ElementIndex end) {
    return on<DeviceAccessor<T>>(place, begin, end, Access::write);
  }
  DeviceAccessor<T> read_write(Place place) { return read_write(place, 0, this->size()); }
  DeviceAccessor<T> read_write(Place place, ElementIndex begin, ElementIndex end) {
    return on<DeviceAccessor<T>>(place, begin, end, Access::read_write);
  }

  /// Room on a device for all elements, so that parts of it need none of their own (policy region; nothing
  /// with others).
  void reserve(Place place) {
    detail::ElementStore(this->context()).reserve_copy(this->request(this->whole(), place, Access::write));
  }

  reference operator[](ElementIndex i) { return Base::template refer<reference>(*this, i, 0, i); }
  T operator[](ElementIndex i) const { return get(i); }
  /// \throws UsageError outside
  reference at(ElementIndex i) {
    require(i);
    return (*this)[i];
  }
  T at(ElementIndex i) const {
    require(i);
    return get(i);
  }
  reference front() { return (*this)[0]; }
  reference back() { return (*this)[this->size() - 1]; }
  T front() const { return get(0); }
  T back() const { return get(this->size() - 1); }
  /// The element on the host, whatever the state of the copies: for those who know that it is current there
  /// and nowhere else.
  T& unchecked(ElementIndex i) { return this->data()[i]; }
  const T& unchecked(ElementIndex i) const { return this->data()[i]; }

  iterator begin() { return {*this, 0}; }
  iterator end() { return {*this, this->size()}; }
  const_iterator begin() const { return {*this, 0}; }
  const_iterator end() const { return {*this, this->size()}; }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }

  /// Elements [begin, end), for calls that use a part.
  Slice<Vector> slice(ElementIndex begin, ElementIndex end) { return {*this, begin, end}; }
  Slice<const Vector> slice(ElementIndex begin, ElementIndex end) const { return {*this, begin, end}; }

  /// Keeps the first elements; new ones are undefined. Copies on devices go. No access may be under way.
  /// \throws OutOfMemory, UsageError for a size that there cannot be
  void resize(ElementIndex size) { Base::resize(1, size); }
  void assign(ElementIndex size, const T& value) {
    if (size != this->size()) resize(size);
    fill(value);
  }
  void fill(const T& value) {
    if (this->empty()) return;
    const auto all = write();
    std::fill(all.begin(), all.end(), value);
  }
  friend void swap(Vector& a, Vector& b) noexcept { a.Base::swap(b); }

  /// As those of std::vector, for elements that come and go: their place is on the host, and copies on
  /// devices go, as by resize. Memory on the host doubles when there is no room; what is erased gives none
  /// back. The values may be elements of this vector. \throws UsageError for a place that is not in this
  /// vector, and as resize
  void push_back(T value) { insert(end(), 1, value); }
  void pop_back() { erase(cend() - 1); }
  iterator insert(const_iterator at, T value) { return insert(at, 1, value); }
  iterator insert(const_iterator at, ElementIndex count, T value) {
    const ElementIndex first = make_gap(at, count);
    std::fill_n(this->data() + first, count, value);
    return begin() + first;
  }
  template <std::input_iterator It>
  iterator insert(const_iterator at, It first, It last) {
    const std::deque<T> values(first, last);
    const ElementIndex gap = make_gap(at, static_cast<ElementIndex>(values.size()));
    std::copy(values.begin(), values.end(), this->data() + gap);
    return begin() + gap;
  }
  iterator insert(const_iterator at, std::initializer_list<T> values) {
    return insert(at, values.begin(), values.end());
  }
  iterator erase(const_iterator at) { return erase(at, at + 1); }
  iterator erase(const_iterator first, const_iterator last);
  void clear() { erase(cbegin(), cend()); }
  /// Elements that there is memory for on the host.
  ElementIndex capacity() const { return this->room(); }
  void reserve(ElementIndex elements) {
    if (elements > capacity()) Base::resize(1, this->size(), elements);
  }

  // For DualView.
  template <class Space>
  using ViewOf = Kokkos::View<T*, Kokkos::LayoutRight, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  template <class Space>
  ViewOf<Space> view_of(T* data) const {
    return ViewOf<Space>(data, static_cast<std::size_t>(this->size()));
  }

  // For Element.
  T get(ElementIndex i) const { return Base::get(0, i); }
  void set(ElementIndex i, const T& value) { Base::set(0, i, value); }
  template <class Change>
  void update(ElementIndex i, const Change& change) {
    Base::update(0, i, change);
  }

 private:
  template <class A>
  A on(Place place, ElementIndex begin, ElementIndex end, Access access) const {
    return A(this->context(), this->request(range(begin, end), place, access));
  }
  ElementIndex make_gap(const_iterator at, ElementIndex count);
  void require_places(const_iterator first, const_iterator last) const;
  void require(ElementIndex i) const {
    if (i < 0 || i >= this->size())
      throw UsageError("element " + std::to_string(i) + " of '" + this->label() + "' is not one of its " +
                       std::to_string(this->size()));
  }
};

template <class T>
typename Vector<T>::iterator Vector<T>::erase(const_iterator first, const_iterator last) {
  require_places(first, last);
  const ElementIndex size = this->size(), from = first.index(), to = last.index();
  if (from == to) return begin() + from;
  Base::resize(1, size, capacity());  // all of it is on the host now
  std::copy(this->data() + to, this->data() + size, this->data() + from);
  Base::resize(1, size - (to - from), capacity());
  return begin() + from;
}

/// Room for elements before `at`, where they are to begin.
template <class T>
ElementIndex Vector<T>::make_gap(const_iterator at, ElementIndex count) {
  require_places(at, at);
  const ElementIndex old = this->size(), first = at.index();
  if (count < 0 || count > std::numeric_limits<ElementIndex>::max() - old)
    throw UsageError(std::to_string(count) + " elements cannot be inserted into '" + this->label() + "'");
  if (count == 0) return first;
  const ElementIndex size = old + count;
  Base::resize(1, size, size > capacity() ? std::max(size, 2 * capacity()) : capacity());
  std::copy_backward(this->data() + first, this->data() + old, this->data() + size);
  return first;
}

template <class T>
void Vector<T>::require_places(const_iterator first, const_iterator last) const {
  for (const const_iterator& at : {first, last})
    if (at.container() != this) throw UsageError("an iterator is not one of '" + this->label() + "'");
  if (first.index() < 0 || first > last || last.index() > this->size())
    throw UsageError("elements [" + std::to_string(first.index()) + ", " + std::to_string(last.index()) +
                     ") of '" + this->label() + "' are not among its " + std::to_string(this->size()));
}

}  // namespace haloheap::coherence

#endif
