// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_STENCIL_FIELDS_HPP
#define HALOHEAP_UNIT_CORE_STENCIL_FIELDS_HPP

#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

// Fields of the tests live in the resource `device`, which the host cannot reach (on host backends it is
// emulated, with a guard page behind): all checks go through copies, and the same tests run on a device.
namespace haloheap::testing {

template <class T>
using Unmanaged = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

template <class T>
std::vector<T> to_host(const memory::Array<T>& array) {
  std::vector<T> values(array.size());
  if (!values.empty()) Kokkos::deep_copy(Unmanaged<T>(values.data(), values.size()), array.view());
  return values;
}

template <class T>
void to_device(const std::vector<T>& values, const memory::Array<T>& array) {
  if (!values.empty()) Kokkos::deep_copy(array.view(), Unmanaged<const T>(values.data(), values.size()));
}

template <class T>
memory::Array<T> make_device_array(const std::vector<T>& values) {
  auto array =
      memory::make_array<T>(memory::make_memory_resource("device"), "haloheap::unit::field", values.size());
  to_device(values, array);
  return array;
}

/// In memory of the host, aligned for wide loads, which vectors need not be.
template <class T>
memory::Array<T> make_host_array(const std::vector<T>& values) {
  auto array =
      memory::make_array<T>(memory::make_memory_resource("pageable"), "haloheap::unit::field", values.size());
  std::copy(values.begin(), values.end(), array.data());
  return array;
}

/// Of cells that nobody set or computed, so that they are seen.
template <class T>
T unset() {
  return std::numeric_limits<T>::has_quiet_NaN ? std::numeric_limits<T>::quiet_NaN() : T{77};
}

template <class T>
std::vector<T> random_values(grid::Index count, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<T> distribution(-1, 1);
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values) value = distribution(generator);
  return values;
}

/// The same, or 0 and 1 in fields of integers.
template <class T>
std::vector<T> start_values(grid::Index count, unsigned seed) {
  if constexpr (std::is_floating_point_v<T>) {
    return random_values<T>(count, seed);
  } else {
    std::vector<T> values;
    for (const double value : random_values<double>(count, seed)) values.push_back(value < -0.2 ? 1 : 0);
    return values;
  }
}

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// The elements that differ in a bit: how many, and the first. Empty if none.
template <class T>
std::string difference(const std::vector<T>& got, const std::vector<T>& expected) {
  if (got.size() != expected.size()) return "sizes differ";
  std::size_t count = 0, first = 0;
  for (std::size_t i = got.size(); i-- > 0;)
    if (!same_bits(got[i], expected[i])) {
      first = i;
      ++count;
    }
  if (count == 0) return "";
  return std::to_string(count) + " of " + std::to_string(got.size()) +
         " elements differ, the first is number " + std::to_string(first) + ": " +
         std::to_string(got[first]) + ", not " + std::to_string(expected[first]);
}

/// Calls `visit(cell)` for the cells of a box, x fastest.
template <class Visit>
void for_each_cell(const grid::Box& box, Visit&& visit) {
  for (grid::Index z = box.lo.z; z < box.hi.z; ++z)
    for (grid::Index y = box.lo.y; y < box.hi.y; ++y)
      for (grid::Index x = box.lo.x; x < box.hi.x; ++x) visit(grid::Triple{x, y, z});
}

inline bool contains(const grid::Box& box, const grid::Triple& cell) {
  for (int dim = 0; dim < 3; ++dim)
    if (cell[dim] < box.lo[dim] || cell[dim] >= box.hi[dim]) return false;
  return true;
}

inline std::string text(const grid::Box& box) {
  std::string result;
  for (int dim = 0; dim < 3; ++dim)
    result += "[" + std::to_string(box.lo[dim]) + "," + std::to_string(box.hi[dim]) + ")";
  return result;
}

}  // namespace haloheap::testing

#endif
