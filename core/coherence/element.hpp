// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_ELEMENT_HPP
#define HALOHEAP_CORE_COHERENCE_ELEMENT_HPP

#include <haloheap/core/coherence/rect.hpp>

#include <compare>
#include <cstddef>
#include <iterator>

namespace haloheap::coherence {

/// Stands for an element on the host and tells reading it from writing it: only what is asked for is brought,
/// and only what is written makes other copies old. Container has get(i), set(i, value) and update(i,
/// change).
template <class Container>
class Element {
 public:
  using Value = typename Container::value_type;

  Element(Container& container, Index index) : container_(&container), index_(index) {}
  Element(const Element&) = default;

  operator Value() const { return container_->get(index_); }
  const Element& operator=(const Value& value) const {
    container_->set(index_, value);
    return *this;
  }
  const Element& operator=(const Element& other) const { return *this = static_cast<Value>(other); }

  const Element& operator+=(const Value& value) const {
    return change([&](Value& mine) { mine += value; });
  }
  const Element& operator-=(const Value& value) const {
    return change([&](Value& mine) { mine -= value; });
  }
  const Element& operator*=(const Value& value) const {
    return change([&](Value& mine) { mine *= value; });
  }
  const Element& operator/=(const Value& value) const {
    return change([&](Value& mine) { mine /= value; });
  }
  const Element& operator++() const {
    return change([](Value& mine) { ++mine; });
  }
  const Element& operator--() const {
    return change([](Value& mine) { --mine; });
  }

  friend void swap(Element a, Element b) {
    const Value value = a;
    a = static_cast<Value>(b);
    b = value;
  }

 private:
  template <class Change>
  const Element& change(const Change& change) const {
    container_->update(index_, change);
    return *this;
  }

  Container* container_;
  Index index_;
};

/// Over the elements of a container on the host; each is accessed by itself.
template <class Container, class Reference>
class ElementIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = typename Container::value_type;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = Reference;

  ElementIterator() = default;
  ElementIterator(Container& container, Index index) : container_(&container), index_(index) {}

  Reference operator*() const { return (*container_)[index_]; }
  Reference operator[](difference_type n) const { return (*container_)[index_ + n]; }
  ElementIterator& operator+=(difference_type n) {
    index_ += n;
    return *this;
  }
  ElementIterator& operator-=(difference_type n) { return *this += -n; }
  ElementIterator& operator++() { return *this += 1; }
  ElementIterator& operator--() { return *this += -1; }
  ElementIterator operator++(int) {
    ElementIterator before = *this;
    ++*this;
    return before;
  }
  ElementIterator operator--(int) {
    ElementIterator before = *this;
    --*this;
    return before;
  }
  friend ElementIterator operator+(ElementIterator i, difference_type n) { return i += n; }
  friend ElementIterator operator+(difference_type n, ElementIterator i) { return i += n; }
  friend ElementIterator operator-(ElementIterator i, difference_type n) { return i -= n; }
  friend difference_type operator-(const ElementIterator& a, const ElementIterator& b) {
    return a.index_ - b.index_;
  }
  friend bool operator==(const ElementIterator& a, const ElementIterator& b) { return a.index_ == b.index_; }
  friend auto operator<=>(const ElementIterator& a, const ElementIterator& b) {
    return a.index_ <=> b.index_;
  }

 private:
  Container* container_ = nullptr;
  Index index_ = 0;
};

}  // namespace haloheap::coherence

#endif
