// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_MATRIX_HPP
#define HALOHEAP_CORE_COHERENCE_MATRIX_HPP

#include <haloheap/core/base/error.hpp>
#include <haloheap/core/coherence/container.hpp>
#include <haloheap/core/coherence/element.hpp>

namespace haloheap::coherence {

/// A matrix, row after row, whose sub-matrices may be used on the host and on all devices of its context. A
/// sub-matrix is brought by one copy of its rows, and lies packed on the device. See Vector.
template <class T>
class Matrix : public Container<T> {
  using Base = Container<T>;

 public:
  using reference = ReferenceOf<Matrix, T>;
  using iterator = ElementIterator<Matrix, reference>;
  using const_iterator = ElementIterator<const Matrix, T>;

  /// \throws OutOfMemory, UsageError for a size that there cannot be
  Matrix(Context& context, std::string label, ElementIndex rows, ElementIndex columns,
         std::shared_ptr<memory::MemoryResource> memory = nullptr)
      : Base(context, label, {rows, columns, sizeof(T), label, false}, std::move(memory)) {}

  /// Uses elements that are there, as Vector does; a View must have the layout Kokkos::LayoutRight. Another
  /// number of columns is refused.
  template <class... P>
  Matrix(Context& context, std::string label, const Kokkos::View<T**, P...>& view)
      : Base(context, label,
             {static_cast<ElementIndex>(view.extent(0)), static_cast<ElementIndex>(view.extent(1)), sizeof(T),
              label, false},
             detail::adopt(label, view)) {}
  Matrix(Context& context, std::string label, T* data, ElementIndex rows, ElementIndex columns)
      : Matrix(context, std::move(label),
               Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>(data, static_cast<std::size_t>(rows),
                                                                     static_cast<std::size_t>(columns))) {}

  ElementIndex rows() const { return this->whole().rows(); }
  ElementIndex columns() const { return this->whole().columns(); }

  /// Access objects, on the host.
  HostAccessor<const T> read() const { return read(this->whole()); }
  HostAccessor<const T> read(const Rect& rect) const {
    return on<HostAccessor<const T>>(on_host, rect, Access::read);
  }
  HostAccessor<T> write() { return write(this->whole()); }
  HostAccessor<T> write(const Rect& rect) { return on<HostAccessor<T>>(on_host, rect, Access::write); }
  HostAccessor<T> read_write() { return read_write(this->whole()); }
  HostAccessor<T> read_write(const Rect& rect) {
    return on<HostAccessor<T>>(on_host, rect, Access::read_write);
  }

  /// The same on a device.
  DeviceAccessor<const T> read(Place place) const { return read(place, this->whole()); }
  DeviceAccessor<const T> read(Place place, const Rect& rect) const {
    return on<DeviceAccessor<const T>>(place, rect, Access::read);
  }
  DeviceAccessor<T> write(Place place) { return write(place, this->whole()); }
  DeviceAccessor<T> write(Place place, const Rect& rect) {
    return on<DeviceAccessor<T>>(place, rect, Access::write);
  }
  DeviceAccessor<T> read_write(Place place) { return read_write(place, this->whole()); }
  DeviceAccessor<T> read_write(Place place, const Rect& rect) {
    return on<DeviceAccessor<T>>(place, rect, Access::read_write);
  }

  /// Makes room on a device for the elements of `rect`, so that parts of it need none of their own (policy
  /// region; nothing with others).
  void reserve(Place place, const Rect& rect) {
    detail::ElementStore(this->context()).reserve_copy(this->request(rect, place, Access::write));
  }

  reference operator()(ElementIndex row, ElementIndex column) {
    return Base::template refer<reference>(*this, row * columns() + column, row, column);
  }
  T operator()(ElementIndex row, ElementIndex column) const { return Base::get(row, column); }
  /// \throws UsageError outside
  reference at(ElementIndex row, ElementIndex column) {
    require(row, column);
    return (*this)(row, column);
  }
  T at(ElementIndex row, ElementIndex column) const {
    require(row, column);
    return (*this)(row, column);
  }
  /// See Vector::unchecked.
  T& unchecked(ElementIndex row, ElementIndex column) { return this->on_main(row, column); }
  const T& unchecked(ElementIndex row, ElementIndex column) const { return this->on_main(row, column); }

  /// Elements are numbered row after row.
  reference operator[](ElementIndex i) {
    return Base::template refer<reference>(*this, i, i / columns(), i % columns());
  }
  T operator[](ElementIndex i) const { return get(i); }
  iterator begin() { return {*this, 0}; }
  iterator end() { return {*this, this->size()}; }
  const_iterator begin() const { return {*this, 0}; }
  const_iterator end() const { return {*this, this->size()}; }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }

  /// Keeps the elements that have the same row and column; new ones are undefined. Copies on devices go. No
  /// access may be under way. \throws OutOfMemory, UsageError for a size that there cannot be
  void resize(ElementIndex rows, ElementIndex columns) { Base::resize(rows, columns); }
  void fill(const T& value) {
    if (this->empty()) return;
    const auto all = write();
    std::fill(all.data(), all.data() + all.size(), value);
  }
  friend void swap(Matrix& a, Matrix& b) noexcept { a.Base::swap(b); }

  // For DualView.
  template <class Space>
  using ViewOf = Kokkos::View<T**, Kokkos::LayoutRight, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  template <class Space>
  ViewOf<Space> view_of(T* data) const {
    return ViewOf<Space>(data, static_cast<std::size_t>(rows()), static_cast<std::size_t>(columns()));
  }

  // For Element, by the number of the element.
  T get(ElementIndex i) const { return Base::get(i / columns(), i % columns()); }
  void set(ElementIndex i, const T& value) { Base::set(i / columns(), i % columns(), value); }
  template <class Change>
  void update(ElementIndex i, const Change& change) {
    Base::update(i / columns(), i % columns(), change);
  }

 private:
  template <class A>
  A on(Place place, const Rect& rect, Access access) const {
    return A(this->context(), this->request(rect, place, access));
  }
  void require(ElementIndex row, ElementIndex column) const {
    if (row < 0 || row >= rows() || column < 0 || column >= columns())
      throw UsageError("element (" + std::to_string(row) + ", " + std::to_string(column) + ") of '" +
                       this->label() + "' is not in its " + std::to_string(rows()) + " rows and " +
                       std::to_string(columns()) + " columns");
  }
};

}  // namespace haloheap::coherence

#endif
