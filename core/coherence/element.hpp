// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_ELEMENT_HPP
#define HALOHEAP_CORE_COHERENCE_ELEMENT_HPP

#include <haloheap/core/coherence/rect.hpp>

#include <compare>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>

namespace haloheap::coherence {

/// Stands for an element on the host and tells reading it from writing it: only what is asked for is brought,
/// and only what is written makes other copies old. Container has get(i), set(i, value) and update(i,
/// change).
template <class Container>
class Element {
 public:
  using Value = typename Container::value_type;

  Element(Container& container, ElementIndex index) : container_(&container), index_(index) {}
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
  Value operator++(int) const {
    Value before{};
    change([&](Value& mine) { before = mine++; });
    return before;
  }
  Value operator--(int) const {
    Value before{};
    change([&](Value& mine) { before = mine--; });
    return before;
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
  ElementIndex index_;
};

/// What stands for an element of a container that is not constant. That of a class is the element itself on
/// the host, so that its members can be changed: `v[3].a = 1`. Whoever asks for it reads and writes the
/// element, and it may be used until elements of the container are used on a device. Who only reads asks a
/// constant container.
template <class Container, class Value>
using ReferenceOf = std::conditional_t<std::is_class_v<Value>, Value&, Element<Container>>;

/// What `->` of an iterator needs: the element, until the end of the statement.
template <class Reference>
struct ElementPointer {
  Reference element;
  auto* operator->() { return std::addressof(element); }
};

/// Goes over the elements of a container on the host, each of which is accessed by itself.
template <class Container, class Reference>
class ElementIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = typename Container::value_type;
  using difference_type = std::ptrdiff_t;
  using pointer = ElementPointer<Reference>;
  using reference = Reference;

  ElementIterator() = default;
  ElementIterator(Container& container, ElementIndex index) : container_(&container), index_(index) {}
  /// An iterator of a container is one of the constant container, too.
  template <class C, class R>
  requires std::is_same_v<const C, Container> ElementIterator(const ElementIterator<C, R>& other)
      : container_(other.container()), index_(other.index()) {}

  /// Null for an iterator that was made without a container.
  Container* container() const { return container_; }
  ElementIndex index() const { return index_; }

  Reference operator*() const { return (*container_)[index_]; }
  pointer operator->() const { return {**this}; }
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
  ElementIndex index_ = 0;
};

}  // namespace haloheap::coherence

#endif
