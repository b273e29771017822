// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_FETCH_HPP
#define HALOHEAP_ALLOCATORS_FETCH_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/backend/instance.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <vector>

namespace haloheap::allocators {

/// `count` elements at `from`, which kernels can reach, on the host. Waits for the copy.
template <class T>
std::vector<T> fetch(const backend::Exec& exec, const T* from, std::size_t count) {
  std::vector<T> result(count);
  backend::copy_async(exec, result.data(), from, count * sizeof(T));
  exec.fence("haloheap::allocators::fetch");
  return result;
}

}  // namespace haloheap::allocators

#endif
