// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CONTAINERS_VECTOR_HPP
#define HALOHEAP_ALLOCATORS_CONTAINERS_VECTOR_HPP

#include <haloheap/allocators/device_allocator.hpp>
#include <haloheap/allocators/view_source.hpp>
#include <haloheap/backend/pragma.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace haloheap::containers {

/// What containers hold: they move elements as bytes, and destroy none.
template <class T>
concept Element = std::is_trivially_copyable_v<T> && allocators::HeapElement<T>;

/// A vector that grows in a kernel, in memory of a heap. It is one thread's at a time: a kernel may leave it
/// in a View, and another go on with it. What needs memory takes the heap's handle, always that of the same
/// heap, and says false where there was no room; the vector is then as before.
///
/// Plain data of 16 bytes: a copy is the same elements, as of Views, and only release() frees them. Where the
/// one that grows is copied, the others are out of date.
template <Element T>
class Vector {
 public:
  using value_type = T;
  using size_type = std::uint32_t;
  using iterator = T*;
  using const_iterator = const T*;
  static constexpr size_type max_size = 0xffffffffU;
  static constexpr std::size_t first_bytes = 32;  ///< of memory, unless reserve or the heap says otherwise

  KOKKOS_FUNCTION size_type size() const { return size_; }
  KOKKOS_FUNCTION size_type capacity() const { return capacity_; }
  KOKKOS_FUNCTION bool empty() const { return size_ == 0; }
  KOKKOS_FUNCTION T* data() { return static_cast<T*>(memory_); }
  KOKKOS_FUNCTION const T* data() const { return static_cast<const T*>(memory_); }
  KOKKOS_FUNCTION T* begin() { return data(); }
  KOKKOS_FUNCTION T* end() { return data() + size_; }
  KOKKOS_FUNCTION const T* begin() const { return data(); }
  KOKKOS_FUNCTION const T* end() const { return data() + size_; }
  KOKKOS_FUNCTION T& operator[](size_type i) { return data()[i]; }
  KOKKOS_FUNCTION const T& operator[](size_type i) const { return data()[i]; }
  KOKKOS_FUNCTION T& front() { return data()[0]; }
  KOKKOS_FUNCTION T& back() { return data()[size_ - 1]; }
  /// The elements, without a copy, until the vector grows.
  KOKKOS_FUNCTION allocators::HeapView<T> view() { return {data(), size_}; }
  KOKKOS_FUNCTION allocators::HeapView<const T> view() const { return {data(), size_}; }

  /// Room for so many elements.
  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION bool reserve(const Heap& heap, std::size_t elements) {
    return elements <= capacity_ || move_to(heap, elements);
  }

  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION bool push_back(const Heap& heap, const T& value) {
    const T copy = value;  // which may be an element
    if (!has_room_for(heap, 1)) return false;
    data()[size_++] = copy;
    return true;
  }

  /// @param n of elements that do not change meanwhile, nor are this vector's
  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION bool append(const Heap& heap, const T* values, size_type n) {
    if (!has_room_for(heap, n)) return false;
    for (size_type i = 0; i < n; ++i) data()[size_ + i] = values[i];
    size_ += n;
    return true;
  }

  /// In front of element `at`, or at the end.
  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION bool insert(const Heap& heap, size_type at, const T& value) {
    const T copy = value;
    if (!has_room_for(heap, 1)) return false;
    for (size_type i = size_; i > at; --i) data()[i] = data()[i - 1];
    data()[at] = copy;
    ++size_;
    return true;
  }

  /// New elements are `value`.
  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION bool resize(const Heap& heap, size_type elements, const T& value = T{}) {
    const T copy = value;
    if (elements > size_ && !has_room_for(heap, elements - size_)) return false;
    for (size_type i = size_; i < elements; ++i) data()[i] = copy;
    size_ = elements;
    return true;
  }

  KOKKOS_FUNCTION void pop_back() { --size_; }
  KOKKOS_FUNCTION void erase(size_type at) { erase(at, at + 1); }
  /// Elements [first, last).
  KOKKOS_FUNCTION void erase(size_type first, size_type last) {
    for (size_type i = last; i < size_; ++i) data()[first + (i - last)] = data()[i];
    size_ -= last - first;
  }
  /// The memory stays for new elements.
  KOKKOS_FUNCTION void clear() { size_ = 0; }

  /// Gives memory back that has no elements, where less of it can be had.
  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION void shrink_to_fit(const Heap& heap) {
    if (size_ == 0) return release(heap);
    if constexpr (!allocators::PageHandle<Heap>)
      if (size_ < capacity_) (void)move_to(heap, size_);
  }
  /// Gives all memory back; the vector is empty.
  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION void release(const Heap& heap) {
    heap.deallocate(memory_);
    *this = {};
  }

 private:
  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION bool has_room_for(const Heap& heap, size_type more) {
    if (more <= capacity_ - size_) return true;
    if (more > max_size - size_) return false;
    const std::size_t needed = std::size_t{size_} + more,
                      grown = capacity_ == 0 ? first_bytes / sizeof(T) : 2 * std::size_t{capacity_};
    // One call, as the heap's code is long; once more where there is no room to spare.
    std::size_t elements = needed > grown ? needed : grown;
    HALOHEAP_KEEP_LOOP
    while (!move_to(heap, elements)) {
      if (elements == needed) return false;
      elements = needed;
    }
    return true;
  }

  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION bool move_to(const Heap& heap, std::size_t elements) {
    if (elements > max_size) return false;
    std::size_t bytes = elements * sizeof(T);
    auto* const moved = static_cast<T*>(heap.allocate(bytes));
    if (moved == nullptr) return false;
    if constexpr (allocators::SizedHandle<Heap>) bytes = heap.usable_size(moved);
    for (size_type i = 0; i < size_; ++i) moved[i] = data()[i];
    heap.deallocate(memory_);
    memory_ = moved;
    capacity_ = static_cast<size_type>(bytes / sizeof(T) < max_size ? bytes / sizeof(T) : max_size);
    return true;
  }

  // Not T*: nvcc 13.0 ends with "Broken function found" where some heaps get one that may be null.
  void* memory_ = nullptr;
  size_type size_ = 0, capacity_ = 0;
};

}  // namespace haloheap::containers

#endif
