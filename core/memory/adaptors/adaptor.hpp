// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_ADAPTORS_ADAPTOR_HPP
#define HALOHEAP_CORE_MEMORY_ADAPTORS_ADAPTOR_HPP

#include <haloheap/core/memory/resource.hpp>

#include <memory>

namespace haloheap::memory {

/// A resource that hands requests on to another one and adds something. Adaptors stack; each keeps the one
/// below it alive and has its properties.
class ResourceAdaptor : public MemoryResource {
 public:
  backend::Properties properties() const override { return upstream_->properties(); }

 protected:
  /// \throws UsageError for a null upstream
  explicit ResourceAdaptor(std::shared_ptr<MemoryResource> upstream);

  MemoryResource& upstream() const { return *upstream_; }

  /// "kind(upstream)".
  std::string wrapped_name(std::string_view kind) const;

 private:
  std::shared_ptr<MemoryResource> upstream_;
};

}  // namespace haloheap::memory

#endif
