// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_TENSOR3_HPP
#define HALOHEAP_CORE_COHERENCE_TENSOR3_HPP

#include <haloheap/core/base/error.hpp>
#include <haloheap/core/coherence/container.hpp>
#include <haloheap/core/coherence/element.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace haloheap::coherence {

/// Part of a tensor: some rows, all their columns, of some planes.
struct Planes {
  ElementIndex plane = 0, plane_end = 0;
  ElementIndex row = 0, row_end = 0;
};

/// The elements of a part of a tensor, which may be used until this ends.
template <class T, class Space>
class TensorAccessor : public Accessor<T, Space> {
  using Base = Accessor<T, Space>;

 public:
  using Cuboid = Kokkos::View<T***, Kokkos::LayoutStride, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  TensorAccessor(Context& context, const detail::Request& request, ElementIndex columns)
      : Base(context, request), columns_(columns) {}

  /// The elements by plane, row and column, counted from the first of the part.
  Cuboid cuboid() const {
    const auto size = [](ElementIndex n) { return static_cast<std::size_t>(n); };
    const ElementIndex rows = columns_ == 0 ? 0 : this->rect().columns() / columns_;
    return Cuboid(this->data(), Kokkos::LayoutStride(size(this->rect().rows()), size(this->pitch()),
                                                     size(rows), size(columns_), size(columns_), 1));
  }

 private:
  ElementIndex columns_;
};

/// Three dimensions, plane after plane, and in each row after row. Parts of it that are used are whole rows:
/// of one plane or of several, all of them or some. To the directory it is a matrix with a row for each
/// plane, which is what its messages speak of. See Vector.
template <class T>
class Tensor3 : public Container<T> {
  using Base = Container<T>;

 public:
  using reference = ReferenceOf<Tensor3, T>;
  using iterator = ElementIterator<Tensor3, reference>;
  using const_iterator = ElementIterator<const Tensor3, T>;
  using HostPart = TensorAccessor<T, Kokkos::HostSpace>;
  using HostReading = TensorAccessor<const T, Kokkos::HostSpace>;
  using DevicePart = TensorAccessor<T, Context::Exec::memory_space>;
  using DeviceReading = TensorAccessor<const T, Context::Exec::memory_space>;

  /// \throws OutOfMemory, UsageError for a size that there cannot be
  Tensor3(Context& context, std::string label, ElementIndex planes, ElementIndex rows, ElementIndex columns,
          std::shared_ptr<memory::MemoryResource> memory = nullptr)
      : Base(context, label, shape(label, planes, rows, columns), std::move(memory)),
        rows_(rows),
        columns_(columns) {}
  /// Uses elements that are there, as Vector does; a View must have the layout Kokkos::LayoutRight.
  template <class... P>
  Tensor3(Context& context, std::string label, const Kokkos::View<T***, P...>& view)
      : Base(context, label,
             shape(label, static_cast<ElementIndex>(view.extent(0)),
                   static_cast<ElementIndex>(view.extent(1)), static_cast<ElementIndex>(view.extent(2))),
             detail::adopt(label, view)),
        rows_(static_cast<ElementIndex>(view.extent(1))),
        columns_(static_cast<ElementIndex>(view.extent(2))) {}

  ElementIndex planes() const { return this->whole().rows(); }
  ElementIndex rows() const { return rows_; }
  ElementIndex columns() const { return columns_; }
  Planes all() const { return {0, planes(), 0, rows_}; }
  Planes some(ElementIndex plane, ElementIndex plane_end) const { return {plane, plane_end, 0, rows_}; }

  /// Access objects, on the host.
  HostReading read() const { return read(all()); }
  HostReading read(const Planes& part) const { return on<HostReading>(on_host, part, Access::read); }
  HostPart write() { return write(all()); }
  HostPart write(const Planes& part) { return on<HostPart>(on_host, part, Access::write); }
  HostPart read_write() { return read_write(all()); }
  HostPart read_write(const Planes& part) { return on<HostPart>(on_host, part, Access::read_write); }

  /// The same on a device.
  DeviceReading read(Place place) const { return read(place, all()); }
  DeviceReading read(Place place, const Planes& part) const {
    return on<DeviceReading>(place, part, Access::read);
  }
  DevicePart write(Place place) { return write(place, all()); }
  DevicePart write(Place place, const Planes& part) { return on<DevicePart>(place, part, Access::write); }
  DevicePart read_write(Place place) { return read_write(place, all()); }
  DevicePart read_write(Place place, const Planes& part) {
    return on<DevicePart>(place, part, Access::read_write);
  }

  reference operator()(ElementIndex plane, ElementIndex row, ElementIndex column) {
    return (*this)[(plane * rows_ + row) * columns_ + column];
  }
  T operator()(ElementIndex plane, ElementIndex row, ElementIndex column) const {
    return get((plane * rows_ + row) * columns_ + column);
  }
  /// \throws UsageError outside
  reference at(ElementIndex plane, ElementIndex row, ElementIndex column) {
    require(plane, row, column);
    return (*this)(plane, row, column);
  }
  T at(ElementIndex plane, ElementIndex row, ElementIndex column) const {
    require(plane, row, column);
    return (*this)(plane, row, column);
  }

  /// Elements are numbered plane after plane, and in each plane row after row.
  reference operator[](ElementIndex i) {
    return Base::template refer<reference>(*this, i, i / in_plane(), i % in_plane());
  }
  T operator[](ElementIndex i) const { return get(i); }
  iterator begin() { return {*this, 0}; }
  iterator end() { return {*this, this->size()}; }
  const_iterator begin() const { return {*this, 0}; }
  const_iterator end() const { return {*this, this->size()}; }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }

  void fill(const T& value) {
    if (this->empty()) return;
    const auto elements = write();
    std::fill(elements.data(), elements.data() + elements.size(), value);
  }
  friend void swap(Tensor3& a, Tensor3& b) noexcept {
    a.Base::swap(b);
    std::swap(a.rows_, b.rows_);
    std::swap(a.columns_, b.columns_);
  }

  // For DualView.
  template <class Space>
  using ViewOf = Kokkos::View<T***, Kokkos::LayoutRight, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  template <class Space>
  ViewOf<Space> view_of(T* data) const {
    return ViewOf<Space>(data, static_cast<std::size_t>(planes()), static_cast<std::size_t>(rows_),
                         static_cast<std::size_t>(columns_));
  }

  // For Element, by the number of the element.
  T get(ElementIndex i) const { return Base::get(i / in_plane(), i % in_plane()); }
  void set(ElementIndex i, const T& value) { Base::set(i / in_plane(), i % in_plane(), value); }
  template <class Change>
  void update(ElementIndex i, const Change& change) {
    Base::update(i / in_plane(), i % in_plane(), change);
  }

 private:
  static detail::Shape shape(const std::string& label, ElementIndex planes, ElementIndex rows,
                             ElementIndex columns) {
    const ElementIndex max = std::numeric_limits<ElementIndex>::max();
    if (planes < 0 || rows < 0 || columns < 0 || (rows > 0 && columns > max / rows))
      throw UsageError("'" + label + "' cannot have " + std::to_string(planes) + " planes of " +
                       std::to_string(rows) + " rows and " + std::to_string(columns) + " columns");
    return {planes, rows * columns, sizeof(T), label, false};
  }
  ElementIndex in_plane() const { return rows_ * columns_; }
  template <class A>
  A on(Place place, const Planes& part, Access access) const {
    if (part.row < 0 || part.row_end > rows_) throw_outside(part.row, part.row_end);
    return A(this->context(),
             this->request({part.plane, part.plane_end, part.row * columns_, part.row_end * columns_}, place,
                           access),
             columns_);
  }
  [[noreturn]] void throw_outside(ElementIndex row, ElementIndex row_end) const {
    throw UsageError("rows [" + std::to_string(row) + ", " + std::to_string(row_end) + ") of '" +
                     this->label() + "' are not among the " + std::to_string(rows_) + " of a plane");
  }
  void require(ElementIndex plane, ElementIndex row, ElementIndex column) const {
    if (plane < 0 || plane >= planes() || row < 0 || row >= rows_ || column < 0 || column >= columns_)
      throw UsageError("element (" + std::to_string(plane) + ", " + std::to_string(row) + ", " +
                       std::to_string(column) + ") of '" + this->label() + "' is not in its " +
                       std::to_string(planes()) + " planes of " + std::to_string(rows_) + " rows and " +
                       std::to_string(columns_) + " columns");
  }

  ElementIndex rows_, columns_;
};

}  // namespace haloheap::coherence

#endif
