// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/join_output.hpp>

namespace haloheap {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;

KOKKOS_FUNCTION std::uint32_t rows_in(const OutputPage* page, const JoinOutput& output) {
  return page->rows < output.capacity ? page->rows : output.capacity;
}

struct SumUp {
  JoinOutput output;
  KOKKOS_FUNCTION void operator()(int list, std::uint64_t& rows, std::uint64_t& digest,
                                  std::uint64_t& pages) const {
    for (OutputPage* page = output.pages[list].page(); page != nullptr; page = page->next) {
      const std::uint32_t count = rows_in(page, output);
      for (std::uint32_t i = 0; i < count; ++i) digest += page->row(i)->digest();
      rows += count;
      ++pages;
    }
  }
};

struct CopyOut {
  JoinOutput output;
  JoinRow* rows;
  KOKKOS_FUNCTION void operator()(int list, std::uint64_t& place, bool last) const {
    for (OutputPage* page = output.pages[list].page(); page != nullptr; page = page->next) {
      const std::uint32_t count = rows_in(page, output);
      for (std::uint32_t i = 0; last && i < count; ++i) rows[place + i] = *page->row(i);
      place += count;
    }
  }
};

}  // namespace

OutputSum sum_of(const Exec& exec, const JoinOutput& output) {
  OutputSum sum;
  Kokkos::parallel_reduce("haloheap::join_sum_up", Policy(exec, 0, output.lists), SumUp{output},
                          sum.join.rows, sum.join.digest, sum.pages);
  return sum;
}

std::vector<JoinRow> rows_of(const Exec& exec, const JoinOutput& output, std::size_t count) {
  const Kokkos::View<JoinRow*> rows(Kokkos::view_alloc(Kokkos::WithoutInitializing, "haloheap::join_rows"),
                                    count);
  Kokkos::parallel_scan("haloheap::join_copy_out", Policy(exec, 0, output.lists),
                        CopyOut{output, rows.data()});
  std::vector<JoinRow> result(count);
  Kokkos::deep_copy(exec,
                    Kokkos::View<JoinRow*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                        result.data(), count),
                    rows);
  exec.fence("haloheap::rows_of");
  return result;
}

}  // namespace haloheap
