// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_VECTOR_HPP
#define HALOHEAP_CORE_COHERENCE_VECTOR_HPP

#include <haloheap/core/base/error.hpp>
#include <haloheap/core/coherence/container.hpp>
#include <haloheap/core/coherence/element.hpp>

#include <initializer_list>

namespace haloheap::coherence {

/// Elements [begin, end) of a vector, for calls that use a part of it.
template <class V>
struct Slice {
  V& vector;
  Index begin, end;

  Index size() const { return end - begin; }
};

/// A vector whose elements may be used on the host and on all devices of its context, in parts that overlap
/// or not. Every use finds the newest values; what has to be moved for that is moved then, and not before.
template <class T>
class Vector : public Container<T> {
  using Base = Container<T>;

 public:
  using reference = Element<Vector>;
  using const_reference = T;
  using iterator = ElementIterator<Vector, reference>;
  using const_iterator = ElementIterator<const Vector, T>;

  /// \throws OutOfMemory, UsageError for a size that there cannot be
  Vector(Context& context, std::string label, Index size,
         std::shared_ptr<memory::MemoryResource> memory = nullptr)
      : Base(context, label, {1, size, sizeof(T), label, true}, std::move(memory)) {}
  Vector(Context& context, std::string label, std::initializer_list<T> values)
      : Vector(context, std::move(label), static_cast<Index>(values.size())) {
    std::copy(values.begin(), values.end(), this->data());
  }

  /// Access objects: elements [begin, end) on the host, or all.
  HostAccessor<const T> read() const { return read(0, this->size()); }
  HostAccessor<const T> read(Index begin, Index end) const {
    return on<HostAccessor<const T>>(on_host, begin, end, Access::read);
  }
  HostAccessor<T> write() { return write(0, this->size()); }
  HostAccessor<T> write(Index begin, Index end) {
    return on<HostAccessor<T>>(on_host, begin, end, Access::write);
  }
  HostAccessor<T> read_write() { return read_write(0, this->size()); }
  HostAccessor<T> read_write(Index begin, Index end) {
    return on<HostAccessor<T>>(on_host, begin, end, Access::read_write);
  }

  /// The same on a device.
  DeviceAccessor<const T> read(Place place) const { return read(place, 0, this->size()); }
  DeviceAccessor<const T> read(Place place, Index begin, Index end) const {
    return on<DeviceAccessor<const T>>(place, begin, end, Access::read);
  }
  DeviceAccessor<T> write(Place place) { return write(place, 0, this->size()); }
  DeviceAccessor<T> write(Place place, Index begin, Index end) {
    return on<DeviceAccessor<T>>(place, begin, end, Access::write);
  }
  DeviceAccessor<T> read_write(Place place) { return read_write(place, 0, this->size()); }
  DeviceAccessor<T> read_write(Place place, Index begin, Index end) {
    return on<DeviceAccessor<T>>(place, begin, end, Access::read_write);
  }

  /// Room on a device for all elements, so that parts of it need none of their own (policy region; nothing
  /// with others).
  void reserve(Place place) {
    detail::ElementStore(this->context())
        .reserve_copy(this->request(this->whole(), place.memory, Access::write));
  }

  reference operator[](Index i) { return {*this, i}; }
  T operator[](Index i) const { return get(i); }
  /// \throws UsageError outside
  reference at(Index i) {
    require(i);
    return (*this)[i];
  }
  T at(Index i) const {
    require(i);
    return get(i);
  }
  reference front() { return (*this)[0]; }
  reference back() { return (*this)[this->size() - 1]; }
  T front() const { return get(0); }
  T back() const { return get(this->size() - 1); }
  /// The element on the host, whatever the state of the copies: for those who know that it is current there
  /// and nowhere else.
  T& unchecked(Index i) { return this->data()[i]; }
  const T& unchecked(Index i) const { return this->data()[i]; }

  iterator begin() { return {*this, 0}; }
  iterator end() { return {*this, this->size()}; }
  const_iterator begin() const { return {*this, 0}; }
  const_iterator end() const { return {*this, this->size()}; }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }

  /// Elements [begin, end), for calls that use a part.
  Slice<Vector> slice(Index begin, Index end) { return {*this, begin, end}; }
  Slice<const Vector> slice(Index begin, Index end) const { return {*this, begin, end}; }

  /// Keeps the first elements; new ones are undefined. Copies on devices go. No access may be under way.
  /// \throws OutOfMemory, UsageError for a size that there cannot be
  void resize(Index size) { Base::resize(1, size); }
  void assign(Index size, const T& value) {
    if (size != this->size()) resize(size);
    fill(value);
  }
  void fill(const T& value) {
    if (this->empty()) return;
    const auto all = write();
    std::fill(all.begin(), all.end(), value);
  }
  friend void swap(Vector& a, Vector& b) noexcept { a.Base::swap(b); }

  // For Element.
  T get(Index i) const { return Base::get(0, i); }
  void set(Index i, const T& value) { Base::set(0, i, value); }
  template <class Change>
  void update(Index i, const Change& change) {
    Base::update(0, i, change);
  }

 private:
  template <class A>
  A on(Place place, Index begin, Index end, Access access) const {
    return A(this->context(), this->request(range(begin, end), place.memory, access));
  }
  void require(Index i) const {
    if (i < 0 || i >= this->size())
      throw UsageError("element " + std::to_string(i) + " of '" + this->label() + "' is not one of its " +
                       std::to_string(this->size()));
  }
};

}  // namespace haloheap::coherence

#endif
