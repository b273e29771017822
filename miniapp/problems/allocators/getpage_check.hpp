// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GETPAGE_CHECK_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GETPAGE_CHECK_HPP

#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/miniapp/problems/allocators/malloc_kernels.hpp>
#include <haloheap/miniapp/report/result.hpp>

#include <memory>
#include <span>

namespace haloheap {

/// What is wrong with the pages that threads hold. Numbers of pages, but for `lost`.
struct GetpageFaults {
  std::uint64_t held = 0;     ///< that threads got
  std::uint64_t refused = 0;  ///< requests that got nothing although a page was free
  std::uint64_t outside = 0;  ///< not pages of the pool
  std::uint64_t twice = 0;    ///< also in other hands
  std::uint64_t spoilt = 0;   ///< did not keep what their owner wrote
  std::size_t lost = 0;       ///< bytes in use when all was given back
};

report::Verification verification_of(const GetpageFaults& faults);

/// Looks at all pages that are out: those that threads hold, which it writes, and those in lists. What an
/// allocator did wrong is never followed: where pages are outside of the pool or in two hands, nothing is
/// written. `refused` and `lost` are not filled in.
class GetpageCheck {
 public:
  /// The marks of all pages come from `arrays`.
  GetpageCheck(std::span<std::byte> pool, std::size_t page_bytes,
               std::shared_ptr<memory::MemoryResource> arrays);

  GetpageFaults operator()(const backend::Exec& exec, const malloc_kernels::Blocks& held,
                           const block_lists::Lists& in_use) const;

  /// Bytes of the marks.
  static std::size_t mark_bytes(std::size_t pages) { return mark_words(pages) * sizeof(std::uint32_t); }

 private:
  static std::size_t mark_words(std::size_t pages) { return pages / 32 + 1; }

  std::span<std::byte> pool_;
  std::size_t page_bytes_;
  memory::Array<std::uint32_t> marks_;
};

}  // namespace haloheap

#endif
