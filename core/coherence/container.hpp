// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_CONTAINER_HPP
#define HALOHEAP_CORE_COHERENCE_CONTAINER_HPP

#include <haloheap/core/coherence/accessor.hpp>
#include <haloheap/core/coherence/adopted.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace haloheap::coherence {

template <class C>
class DualView;

/// What vectors, matrices and tensors share: an object of a context's directory, its elements on the host,
/// accesses and memory management. Elements start out undefined. Move-only: what was moved from is empty, and
/// only fit to be assigned to; accesses go on when their container is moved.
///
/// Accesses end before their container does, and before it is resized or assigned to. Who resizes under an
/// access on a device gets an error; where uses are checked (ContextOptions::check_uses) on the host, too.
/// What ends under an access makes the next use of the context throw (see Context), in the same cases.
template <class T>
class Container {
  static_assert(std::is_trivially_copyable_v<T>, "the elements are copied as bytes");

 public:
  using value_type = T;

  Container(const Container&) = delete;
  Container& operator=(const Container&) = delete;

  /// \throws UsageError if it has ended
  Context& context() const {
    if (main_.state && main_.state->ended.load(std::memory_order_relaxed)) detail::throw_ended(label_);
    return *context_;
  }
  const std::string& label() const { return label_; }
  const Rect& whole() const { return whole_; }
  ElementIndex size() const { return whole_.elements(); }
  bool empty() const { return whole_.empty(); }
  detail::ObjectId object() const { return main_.object; }

  /// The main copy becomes current; copies on devices stay.
  void update_host() const { store().update_host(main_.object); }
  /// The main copy becomes current; copies on devices stay but hold nothing.
  void flush() { store().flush(main_.object); }
  /// Copies on devices hold nothing; changes that were not on the host are lost.
  void invalidate() { store().invalidate(main_.object); }
  /// The main copy becomes current; the memory on devices is given back.
  void release_devices() { store().release_devices(main_.object); }
  Statistics statistics() const { return store().statistics(main_.object); }

 protected:
  Container(Context& context, std::string label, const detail::Shape& shape,
            std::shared_ptr<memory::MemoryResource> memory)
      : context_(&context),
        label_(std::move(label)),
        whole_{0, shape.rows, 0, shape.columns},
        main_(detail::ElementStore(context).add(shape, std::move(memory))) {}
  /// Of memory that somebody has already, who finds the newest values there when this has ended.
  Container(Context& context, std::string label, const detail::Shape& shape,
            const std::shared_ptr<detail::AdoptedMemory>& memory)
      : Container(context, std::move(label), shape, std::shared_ptr<memory::MemoryResource>(memory)) {
    adopted_ = true;
  }
  Container(Container&& other) noexcept
      : context_(other.context_),
        label_(std::move(other.label_)),
        whole_(std::exchange(other.whole_, Rect{})),
        main_(std::exchange(other.main_, detail::Main{})),
        adopted_(other.adopted_) {}
  Container& operator=(Container&& other) noexcept {
    Container taken(std::move(other));  // and what was here ends with it
    swap(taken);
    return *this;
  }
  ~Container() {
    if (main_.object >= 0 && !main_.state->ended)
      detail::ElementStore(*context_).remove(main_.object, adopted_);
  }
  void swap(Container& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(label_, other.label_);
    std::swap(whole_, other.whole_);
    std::swap(main_, other.main_);
    std::swap(adopted_, other.adopted_);
  }

  detail::Request request(const Rect& rect, Place place, Access access) const {
    return {main_.object, rect, place.memory, access, place.instance};
  }

  T& on_main(ElementIndex row, ElementIndex column) const { return data()[row * whole_.columns() + column]; }
  T* data() const { return static_cast<T*>(main_.data); }
  static Rect one(ElementIndex row, ElementIndex column) { return {row, row + 1, column, column + 1}; }

  T get(ElementIndex row, ElementIndex column) const {
    if (main_.state->readable.load(std::memory_order_acquire)) return on_main(row, column);
    return *HostAccessor<const T>(context(), request(one(row, column), on_host, Access::read)).data();
  }
  void set(ElementIndex row, ElementIndex column, const T& value) {
    if (main_.state->writable.load(std::memory_order_acquire)) {
      on_main(row, column) = value;
    } else {
      *HostAccessor<T>(context(), request(one(row, column), on_host, Access::write)).data() = value;
    }
  }
  /// The element, or what stands for it.
  template <class Reference, class Self>
  Reference refer(Self& self, ElementIndex number, ElementIndex row, ElementIndex column) {
    if constexpr (std::is_reference_v<Reference>) {
      if (!main_.state->writable.load(std::memory_order_acquire))
        HostAccessor<T>(context(), request(one(row, column), on_host, Access::read_write)).release();
      return on_main(row, column);
    } else {
      return {self, number};
    }
  }
  template <class Change>
  void update(ElementIndex row, ElementIndex column, const Change& change) {
    if (main_.state->writable.load(std::memory_order_acquire)) {
      change(on_main(row, column));
    } else {
      change(*HostAccessor<T>(context(), request(one(row, column), on_host, Access::read_write)).data());
    }
  }

  /// Elements that there is memory for on the host.
  ElementIndex room() const { return main_.room; }
  /// Adopted memory is kept, as long as it has room, and elements stay where they are in it.
  void resize(ElementIndex rows, ElementIndex columns) {
    if (adopted_ && columns != whole_.columns() && std::max(rows, whole_.rows()) > 1)
      detail::throw_other_rows(label_, whole_.columns(), columns);
    const ElementIndex elements = rows * columns;
    resize(rows, columns, adopted_ ? std::max(elements, room()) : elements);
  }
  void resize(ElementIndex rows, ElementIndex columns, ElementIndex room) {
    main_ = store().resize(main_.object, rows, columns, room);
    whole_ = {0, rows, 0, columns};
  }

 private:
  template <class C>
  friend class DualView;

  /// Of a container that is one.
  detail::ElementStore store() const {
    if (main_.object < 0) detail::throw_moved_from();
    return detail::ElementStore(context());
  }

  Context* context_;
  std::string label_;
  Rect whole_;
  detail::Main main_;
  bool adopted_ = false;
};

}  // namespace haloheap::coherence

#endif
