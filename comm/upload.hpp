// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_UPLOAD_HPP
#define HALOHEAP_COMM_UPLOAD_HPP

#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/memory/array.hpp>

#include <vector>

namespace haloheap::comm::detail {

/// Fills an array, wherever it stands, and waits until it is done: for tables that kernels read.
template <class T>
void upload(const memory::Array<T>& to, const std::vector<T>& from) {
  if (from.empty()) return;
  const backend::Instance copies(backend::Priority::low);
  backend::copy(copies.exec(), to.data(), from.data(), from.size() * sizeof(T));
}

}  // namespace haloheap::comm::detail

#endif
