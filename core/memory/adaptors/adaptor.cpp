// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/adaptors/adaptor.hpp>

#include <fmt/format.h>

namespace haloheap::memory {

ResourceAdaptor::ResourceAdaptor(std::shared_ptr<MemoryResource> upstream) : upstream_(std::move(upstream)) {
  if (upstream_ == nullptr) throw UsageError("a memory adaptor needs a memory resource below it");
}

std::string ResourceAdaptor::wrapped_name(std::string_view kind) const {
  return fmt::format("{}({})", kind, upstream_->name());
}

}  // namespace haloheap::memory
