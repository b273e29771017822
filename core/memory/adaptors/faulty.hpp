// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_ADAPTORS_FAULTY_HPP
#define HALOHEAP_CORE_MEMORY_ADAPTORS_FAULTY_HPP

#include <haloheap/core/memory/adaptors/adaptor.hpp>

#include <atomic>

namespace haloheap::memory {

/// The n-th allocation (counted from 1) throws OutOfMemory; all others pass. For tests of what happens then.
class FaultyResource final : public ResourceAdaptor {
 public:
  /// \throws UsageError for n = 0
  FaultyResource(std::shared_ptr<MemoryResource> upstream, std::size_t n);
  std::string name() const override { return wrapped_name("faulty"); }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) override;
  void do_deallocate(const Allocation& allocation) noexcept override;

  const std::size_t n_;
  std::atomic<std::size_t> count_{0};
};

}  // namespace haloheap::memory

#endif
