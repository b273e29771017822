// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_PAGE_LOCK_HPP
#define HALOHEAP_CORE_BACKEND_PAGE_LOCK_HPP

#include <cstddef>
#include <string_view>

namespace haloheap::backend {

/// Ordinary host memory that is page-locked while this lives, for copies as fast as those of pinned memory.
/// Nothing on host backends.
class PageLock {
 public:
  /// \throws OutOfMemory when so much cannot be locked, DeviceError
  PageLock(void* data, std::size_t bytes, std::string_view label);
  ~PageLock();
  PageLock(const PageLock&) = delete;
  PageLock& operator=(const PageLock&) = delete;

 private:
  [[maybe_unused]] void* data_;
};

}  // namespace haloheap::backend

#endif
