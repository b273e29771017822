// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/huge_pages.hpp>
#include <haloheap/core/memory/resources/huge_pages.hpp>

#include <algorithm>

namespace haloheap::memory {
namespace {

constexpr const char* resource_name = "huge_pages";

class HugePages final : public MemoryResource {
 public:
  backend::Properties properties() const override { return properties_; }
  std::string name() const override { return resource_name; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) override {
    return backend::allocate_huge_pages({.kind = backend::MemoryKind::pageable,
                                         .bytes = bytes,
                                         .alignment = alignment,
                                         .label = label,
                                         .memory = resource_name});
  }
  void do_deallocate(const Allocation& allocation) noexcept override {
    backend::deallocate_huge_pages(allocation.data, allocation.bytes);
  }

  static backend::Properties make_properties() {
    backend::Properties result =
        backend::properties(backend::MemoryKind::pageable, backend::current_device());
    // Small requests may be aligned to more than a page, large ones may not.
    result.max_alignment = std::min(result.max_alignment, backend::huge_page_bytes());
    return result;
  }

  const backend::Properties properties_ = make_properties();
};

}  // namespace

std::shared_ptr<MemoryResource> make_huge_pages(const ResourceOptions& /*options*/) {
  return std::make_shared<HugePages>();
}

std::string huge_pages_missing() {
  return backend::huge_pages_unavailable_reason();
}

}  // namespace haloheap::memory
