// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_COHERENCE_FUNCTIONS_HPP
#define HALOHEAP_UNIT_CORE_COHERENCE_FUNCTIONS_HPP

#include <haloheap/core/coherence/vector.hpp>

#include <Kokkos_Core.hpp>

#include <vector>

// What tests of containers compute, and what they look at.
namespace haloheap::coherence {

struct AddOne {
  template <class T>
  KOKKOS_FUNCTION T operator()(T value) const {
    return value + 1;
  }
};
struct Triple {
  KOKKOS_FUNCTION int operator()(int value) const { return 3 * value; }
};
struct IndexOf {
  KOKKOS_FUNCTION int operator()(ElementIndex i) const { return static_cast<int>(i); }
};

inline std::vector<int> contents(const Vector<int>& vector) {
  return {vector.begin(), vector.end()};
}

}  // namespace haloheap::coherence

#endif
