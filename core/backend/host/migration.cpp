// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/migration.hpp>

namespace haloheap::backend {

void prefetch_async(const Exec& /*exec*/, void* /*data*/, std::size_t /*bytes*/, Side /*side*/) {}
void keep_on_host(void* /*data*/, std::size_t /*bytes*/) {}
std::string prefetch_unavailable_reason() {
  return "";
}
std::string pageable_access_unavailable_reason() {
  return "";
}

}  // namespace haloheap::backend
