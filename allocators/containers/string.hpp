// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CONTAINERS_STRING_HPP
#define HALOHEAP_ALLOCATORS_CONTAINERS_STRING_HPP

#include <haloheap/allocators/containers/vector.hpp>

#include <concepts>
#include <type_traits>

namespace haloheap::containers {

/// Text that grows in a kernel; a Vector of characters with a 0 behind the last, and with its rules.
class String {
 public:
  using size_type = Vector<char>::size_type;

  KOKKOS_FUNCTION size_type size() const { return text_.empty() ? 0 : text_.size() - 1; }
  KOKKOS_FUNCTION bool empty() const { return size() == 0; }
  KOKKOS_FUNCTION const char* c_str() const { return text_.empty() ? "" : text_.data(); }
  KOKKOS_FUNCTION const char* begin() const { return c_str(); }
  KOKKOS_FUNCTION const char* end() const { return c_str() + size(); }
  KOKKOS_FUNCTION char& operator[](size_type i) { return text_[i]; }
  KOKKOS_FUNCTION char operator[](size_type i) const { return text_[i]; }
  /// The characters, without a copy and without the 0, until the string grows.
  KOKKOS_FUNCTION allocators::HeapView<const char> view() const { return {c_str(), size()}; }

  /// @param text n characters, which are not this string's
  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION bool append(const Heap& heap, const char* text, size_type n) {
    const size_type length = size();
    if (!text_.empty()) text_.pop_back();
    if (text_.append(heap, text, n) && text_.push_back(heap, '\0')) return true;
    text_.erase(length, text_.size());
    if (text_.capacity() > 0) (void)text_.push_back(heap, '\0');  // there is room: it stood there
    return false;
  }
  /// @param text ends with a 0
  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION bool append(const Heap& heap, const char* text) {
    size_type n = 0;
    while (text[n] != '\0') ++n;
    return append(heap, text, n);
  }
  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION bool append(const Heap& heap, std::same_as<char> auto character) {
    return append(heap, &character, 1);
  }
  /// In decimal digits.
  template <allocators::DeviceHandle Heap, std::integral Number>
  requires(!std::same_as<Number, char> && !std::same_as<Number, bool>) KOKKOS_FUNCTION
      bool append(const Heap& heap, Number number) {
    char digits[20];
    unsigned first = sizeof digits;
    const auto bits = static_cast<unsigned long long>(number);
    unsigned long long rest = std::is_signed_v<Number> && number < 0 ? 0ULL - bits : bits;
    do {
      digits[--first] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    if (std::is_signed_v<Number> && number < 0) digits[--first] = '-';
    return append(heap, digits + first, static_cast<size_type>(sizeof digits - first));
  }
  /// Characters from `length` on are gone; the memory stays.
  KOKKOS_FUNCTION void truncate(size_type length) {
    if (length >= size()) return;
    text_.erase(length, size());
  }
  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION void release(const Heap& heap) {
    text_.release(heap);
  }

  /// Negative, 0 or positive, as the first one comes before the other by the values of characters.
  KOKKOS_FUNCTION static int compare(const String& a, const String& b) {
    const size_type common = a.size() < b.size() ? a.size() : b.size();
    for (size_type i = 0; i < common; ++i)
      if (a[i] != b[i]) return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[i]) ? -1 : 1;
    return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
  }
  KOKKOS_FUNCTION friend bool operator==(const String& a, const String& b) { return compare(a, b) == 0; }
  KOKKOS_FUNCTION friend bool operator<(const String& a, const String& b) { return compare(a, b) < 0; }

 private:
  Vector<char> text_;
};

}  // namespace haloheap::containers

#endif
