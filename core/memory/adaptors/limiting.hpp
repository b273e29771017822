// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_ADAPTORS_LIMITING_HPP
#define HALOHEAP_CORE_MEMORY_ADAPTORS_LIMITING_HPP

#include <haloheap/core/memory/adaptors/adaptor.hpp>

#include <mutex>

namespace haloheap::memory {

/// Throws OutOfMemory as soon as more than `limit` bytes would be live: a small machine, or a share of a
/// large one.
class LimitingResource final : public ResourceAdaptor {
 public:
  LimitingResource(std::shared_ptr<MemoryResource> upstream, std::size_t limit);
  std::string name() const override { return wrapped_name("limiting"); }

  std::size_t limit() const { return limit_; }
  std::size_t live_bytes() const;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) override;
  void do_deallocate(const Allocation& allocation) noexcept override;
  void reserve(std::size_t bytes, std::string_view label);
  void release(std::size_t bytes) noexcept;

  const std::size_t limit_;
  mutable std::mutex mutex_;
  std::size_t live_ = 0;  // never more than limit_
};

}  // namespace haloheap::memory

#endif
