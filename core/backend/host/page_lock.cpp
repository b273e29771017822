// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/page_lock.hpp>

namespace haloheap::backend {

PageLock::PageLock(void* data, std::size_t /*bytes*/, std::string_view /*label*/) : data_(data) {}
PageLock::~PageLock() = default;

}  // namespace haloheap::backend
