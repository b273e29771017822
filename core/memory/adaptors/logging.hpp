// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_ADAPTORS_LOGGING_HPP
#define HALOHEAP_CORE_MEMORY_ADAPTORS_LOGGING_HPP

#include <haloheap/core/memory/adaptors/adaptor.hpp>

#include <functional>
#include <mutex>

namespace haloheap::memory {

/// Writes a CSV line for every allocation, failed allocation and deallocation.
class LoggingResource final : public ResourceAdaptor {
 public:
  /// Takes one line without its end. Called by one thread at a time; what it throws in a deallocation is
  /// dropped.
  using Sink = std::function<void(std::string_view line)>;

  /// Gives `header` to the sink at once.
  LoggingResource(std::shared_ptr<MemoryResource> upstream, Sink sink);
  std::string name() const override { return wrapped_name("logging"); }

  static constexpr std::string_view header = "number,event,resource,bytes,alignment,address,label";

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) override;
  void do_deallocate(const Allocation& allocation) noexcept override;
  void write(std::string_view event, const Allocation& allocation, std::string_view label);

  std::mutex mutex_;
  Sink sink_;
  std::size_t number_ = 0;
};

}  // namespace haloheap::memory

#endif
