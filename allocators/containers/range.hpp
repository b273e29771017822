// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CONTAINERS_RANGE_HPP
#define HALOHEAP_ALLOCATORS_CONTAINERS_RANGE_HPP

#include <Kokkos_Core.hpp>

namespace haloheap::containers {

/// For loops in kernels: from an iterator on to the end, which an iterator that was made of nothing stands
/// for.
template <class Iterator>
class Range {
 public:
  KOKKOS_FUNCTION explicit Range(const Iterator& first) : first_(first) {}

  KOKKOS_FUNCTION Iterator begin() const { return first_; }
  KOKKOS_FUNCTION Iterator end() const { return {}; }

 private:
  Iterator first_;
};

}  // namespace haloheap::containers

#endif
