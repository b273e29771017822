// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CHOOSE_ALLOCATOR_HPP
#define HALOHEAP_ALLOCATORS_CHOOSE_ALLOCATOR_HPP

#include <haloheap/allocators/allocator_types.hpp>
#include <haloheap/core/base/registry.hpp>

#include <string>
#include <utility>
#include <vector>

namespace haloheap::allocators {

/// An in-kernel allocator of a list of types, as lists and help texts show it.
struct AllocatorEntry {
  std::string name, help;
};

/// The allocators of a list of types, in its order.
template <class List>
const Registry<AllocatorEntry>& allocators_of() {
  static const Registry<AllocatorEntry> registry = [] {
    std::vector<AllocatorEntry> entries;
    List::for_each([&]<class A>() { entries.push_back({A::name, A::help}); });
    return Registry<AllocatorEntry>("in-kernel allocator", std::move(entries));
  }();
  return registry;
}

/// Calls visit.template operator()<A>() for the allocator of that name: kernels are compiled for each
/// allocator of the list, and chosen at run time. \throws UsageError for a name that is not in the list
template <class List, class Visit>
void choose_allocator(const std::string& name, const Visit& visit) {
  const AllocatorEntry& chosen = allocators_of<List>().at(name);
  List::for_each([&]<class A>() {
    if (chosen.name == A::name) visit.template operator()<A>();
  });
}

}  // namespace haloheap::allocators

#endif
