// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_PAGE_COUNT_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_PAGE_COUNT_HPP

#include <haloheap/backend/exec.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace haloheap::allocators::detail {

/// Of all pages of a pool. Pages.
struct PageCount {
  std::size_t used = 0, largest_free_run = 0;
};

namespace page_count {

/// Pages in a row, as far as their neighbours need to know.
struct Segment {
  std::uint32_t pages, used;
  std::uint32_t free_in_front, free_behind, largest_free_run;
};

/// Whoever counts segment i: one thread, from its first page to its last.
template <class IsUsed>
struct Count {
  IsUsed is_used;
  std::uint32_t pages, each;
  Segment* segments;
  KOKKOS_FUNCTION void operator()(std::uint32_t i) const {
    const std::uint32_t first = i * each, rest = pages - first;
    Segment segment{rest < each ? rest : each, 0, 0, 0, 0};
    for (std::uint32_t page = first; page < first + segment.pages; ++page) {
      if (is_used(page)) {
        if (segment.used++ == 0) segment.free_in_front = segment.free_behind;
        segment.free_behind = 0;
      } else if (++segment.free_behind > segment.largest_free_run) {
        segment.largest_free_run = segment.free_behind;
      }
    }
    segments[i] = segment;
  }
};

}  // namespace page_count

/// Counts where the metadata is, since those of many pages are large: `is_used(page)` is called in a kernel.
/// Waits for it.
template <class IsUsed>
PageCount count_pages(const backend::Exec& exec, std::uint32_t pages, const IsUsed& is_used) {
  using page_count::Segment;
  using Exec = backend::Exec;
  constexpr std::uint32_t min_each = 64, max_segments = 1U << 16;
  const std::uint32_t each = std::max(min_each, pages / max_segments + 1);
  const std::uint32_t count = pages / each + (pages % each != 0 ? 1 : 0);
  const Kokkos::View<Segment*, Exec::memory_space> segments(
      Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "haloheap::allocators::page_count"), count);
  Kokkos::parallel_for("haloheap::allocators::page_count",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::uint32_t>>(exec, 0, count),
                       page_count::Count<IsUsed>{is_used, pages, each, segments.data()});
  const auto on_host = Kokkos::create_mirror_view(Kokkos::HostSpace(), segments);
  Kokkos::deep_copy(exec, on_host, segments);
  exec.fence("haloheap::allocators::count_pages");
  PageCount result;
  std::size_t run = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Segment& segment = on_host(i);
    const bool all_free = segment.used == 0;
    result.used += segment.used;
    const std::size_t joined = run + (all_free ? segment.pages : segment.free_in_front);
    run = all_free ? joined : segment.free_behind;
    result.largest_free_run =
        std::max({result.largest_free_run, joined, std::size_t{segment.largest_free_run}});
  }
  return result;
}

}  // namespace haloheap::allocators::detail

#endif
