// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CHOOSE_ALLOCATOR_HPP
#define HALOHEAP_ALLOCATORS_CHOOSE_ALLOCATOR_HPP

#include <haloheap/allocators/allocator_types.hpp>
#include <haloheap/core/base/error.hpp>

#include <string>
#include <vector>

namespace haloheap::allocators {

/// An in-kernel allocator, as lists and help texts show it.
struct AllocatorInfo {
  std::string name, help;
};

template <class List>
std::vector<AllocatorInfo> allocator_infos() {
  std::vector<AllocatorInfo> infos;
  List::for_each([&]<class A>() { infos.push_back({A::name, A::help}); });
  return infos;
}

/// Calls visit.template operator()<A>() for the allocator of that name: kernels are compiled for each
/// allocator of the list, and chosen at run time. \throws UsageError for a name that is not in the list
template <class List, class Visit>
void choose_allocator(const std::string& name, const Visit& visit) {
  bool found = false;
  std::string names;
  List::for_each([&]<class A>() {
    names += (names.empty() ? "" : ", ") + std::string(A::name);
    if (name != A::name) return;
    found = true;
    visit.template operator()<A>();
  });
  if (!found) throw UsageError("there is no in-kernel allocator '" + name + "'", "", "use one of: " + names);
}

}  // namespace haloheap::allocators

#endif
