// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/getpage_check.hpp>
#include <haloheap/miniapp/report/result.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <vector>

namespace haloheap {
namespace {

using malloc_kernels::Exec;
using malloc_kernels::Policy;

/// One bit a page, for kernels.
struct PageMarks {
  std::size_t first;  ///< address of the first page
  std::size_t page_bytes, pages;
  std::uint32_t* words;

  KOKKOS_FUNCTION bool is_page(const void* pointer) const {
    const std::size_t offset = reinterpret_cast<std::size_t>(pointer) - first;
    return offset % page_bytes == 0 && offset / page_bytes < pages;
  }
  /// @returns whether it was marked before
  KOKKOS_FUNCTION bool mark(const void* page) const {
    const std::size_t number = (reinterpret_cast<std::size_t>(page) - first) / page_bytes;
    const std::uint32_t bit = std::uint32_t{1} << (number % 32);
    return (Kokkos::atomic_fetch_or(&words[number / 32], bit) & bit) != 0;
  }
};

struct LowestHeld {
  malloc_kernels::Blocks blocks;
  KOKKOS_FUNCTION void operator()(const int i, std::size_t& lowest) const {
    const auto address = reinterpret_cast<std::size_t>(blocks.held[i].block);
    if (address != 0 && address < lowest) lowest = address;
  }
};

struct MarkHeld {
  PageMarks marks;
  malloc_kernels::Blocks blocks;
  KOKKOS_FUNCTION void operator()(const int i, std::uint64_t& held, std::uint64_t& outside,
                                  std::uint64_t& twice) const {
    const void* const page = blocks.held[i].block;
    if (page == nullptr) return;
    ++held;
    if (!marks.is_page(page))
      ++outside;
    else if (marks.mark(page))
      ++twice;
  }
};

/// A list ends for it where it meets a page that is marked or none: what follows may be in other hands, too.
struct MarkLists {
  PageMarks marks;
  const block_lists::List* lists;
  KOKKOS_FUNCTION void operator()(const int i, std::uint64_t& outside, std::uint64_t& twice) const {
    for (const void* page = lists[i].first; page != nullptr; page = block_lists::List::next(page)) {
      if (!marks.is_page(page)) {
        ++outside;
        return;
      }
      if (marks.mark(page)) {
        ++twice;
        return;
      }
    }
  }
};

struct WritePages {
  malloc_kernels::Blocks blocks;
  std::uint32_t bytes;
  KOKKOS_FUNCTION void operator()(const int i) const {
    if (void* const page = blocks.held[i].block)
      malloc_kernels::write_pattern(page, static_cast<std::uint32_t>(i), 0, bytes);
  }
};

struct CountSpoilt {
  malloc_kernels::Blocks blocks;
  std::uint32_t bytes;
  KOKKOS_FUNCTION void operator()(const int i, std::uint64_t& spoilt) const {
    const void* const page = blocks.held[i].block;
    // Where it may begin has been looked at.
    if (page != nullptr && !malloc_kernels::is_right(page, static_cast<std::uint32_t>(i), 0, bytes, 1))
      ++spoilt;
  }
};

}  // namespace

report::Verification verification_of(const GetpageFaults& faults) {
  std::vector<std::string> differs;
  const auto add = [&](std::uint64_t count, const std::string& what) {
    if (count > 0) differs.push_back(fmt::format("{} {}", count, what));
  };
  add(faults.refused, "requests that were refused although pages were free");
  add(faults.outside, "that are no pages of the pool");
  add(faults.twice, "pages in two hands");
  add(faults.spoilt, fmt::format("of {} pages that did not keep what was written", faults.held));
  add(faults.lost, "bytes that are lost: in use although all was given back");
  return report::verification_of(fmt::format("{}", fmt::join(differs, ", ")));
}

GetpageCheck::GetpageCheck(std::span<std::byte> pool, std::size_t page_bytes,
                           std::shared_ptr<memory::MemoryResource> arrays)
    : pool_(pool),
      page_bytes_(page_bytes),
      marks_(std::move(arrays), "haloheap::getpage::marks", mark_words(pool.size() / page_bytes)) {}

GetpageFaults GetpageCheck::operator()(const backend::Exec& exec, const malloc_kernels::Blocks& held,
                                       const block_lists::Lists& in_use) const {
  GetpageFaults faults;
  // The memory of a pool may begin with something else than a page, but its pages follow each other.
  std::size_t lowest = 0;
  Kokkos::parallel_reduce("haloheap::getpage::lowest", Policy(exec, 0, held.count), LowestHeld{held},
                          Kokkos::Min<std::size_t>(lowest));
  if (lowest == std::numeric_limits<std::size_t>::max()) return faults;  // nobody got a page
  const auto pool = reinterpret_cast<std::size_t>(pool_.data());
  const std::size_t before = (lowest - pool) % page_bytes_;
  const PageMarks marks{pool + before, page_bytes_, (pool_.size() - before) / page_bytes_,
                        marks_.view().data()};
  Kokkos::deep_copy(exec, marks_.view(), std::uint32_t{0});
  Kokkos::parallel_reduce("haloheap::getpage::mark_held", Policy(exec, 0, held.count), MarkHeld{marks, held},
                          faults.held, faults.outside, faults.twice);
  std::uint64_t outside = 0, twice = 0;
  Kokkos::parallel_reduce("haloheap::getpage::mark_lists", Policy(exec, 0, in_use.count()),
                          MarkLists{marks, in_use.data()}, outside, twice);
  faults.outside += outside;
  faults.twice += twice;
  if (faults.outside + faults.twice > 0) return faults;
  const auto bytes = static_cast<std::uint32_t>(page_bytes_);
  Kokkos::parallel_for("haloheap::getpage::write", Policy(exec, 0, held.count), WritePages{held, bytes});
  Kokkos::parallel_reduce("haloheap::getpage::check", Policy(exec, 0, held.count), CountSpoilt{held, bytes},
                          faults.spoilt);
  return faults;
}

}  // namespace haloheap
