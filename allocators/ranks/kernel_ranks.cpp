// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/ranks/kernel_ranks.hpp>
#include <haloheap/core/backend/residency.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/kernel_access.hpp>

#include <fmt/format.h>

namespace haloheap::allocators::detail {

unsigned checked_ranks(const memory::MemoryResource* memory, unsigned ranks, double timeout) {
  if (ranks == 0) throw UsageError("a kernel of 0 ranks", "nobody would communicate", "use 1 rank or more");
  if (!(timeout > 0))
    throw UsageError(fmt::format("a timeout of {} s for ranks of a kernel", timeout),
                     "each wait for another rank would end at once", "use a time above 0");
  if (memory != nullptr) memory::require_kernel_access(*memory);
  return ranks;
}

RankTeams resident_teams(unsigned ranks, unsigned threads) {
  if (threads == 0 || ranks % threads != 0)
    throw UsageError(fmt::format("{} ranks in teams of {} threads", ranks, threads),
                     "they are no whole number of teams",
                     "use a number of threads that divides the number of ranks");
  const auto size = static_cast<int>(backend::kernels_on_host ? 1 : threads);
  const auto count = static_cast<int>(ranks / static_cast<unsigned>(size));
  const int resident = backend::residency().blocks_of(size);
  if (count > resident)
    throw CapabilityError(
        fmt::format("{} teams of {} threads do not run at once here: {} do", count, size, resident),
        "ranks wait for each other, and those that run would wait for the others without end",
        fmt::format("use {} teams at most, or on a host more threads (OMP_NUM_THREADS)", resident));
  return {count, size};
}

bool all_empty(const HeapConfig::Exec& exec, const Mailbox* mailboxes, std::size_t count) {
  using Policy = Kokkos::RangePolicy<HeapConfig::Exec, Kokkos::IndexType<std::size_t>>;
  std::size_t waiting = 0;
  Kokkos::parallel_reduce(
      "haloheap::allocators::waiting_messages", Policy(exec, 0, count),
      KOKKOS_LAMBDA(std::size_t i, std::size_t & sum) { sum += mailboxes[i].message == nullptr ? 0 : 1; },
      waiting);
  return waiting == 0;
}

void require_done(GivenUp reason, double timeout) {
  if (reason == GivenUp::no_memory)
    throw OutOfMemory(0, "a rank of the kernel got no memory for a message",
                      "all ranks of the kernel gave up", "use a larger heap");
  if (reason == GivenUp::undeclared)
    throw UsageError("a rank of the kernel called an operation that its KernelRanks was not made for",
                     "all ranks of the kernel gave up", "name it among the operations of KernelRanks");
  if (reason == GivenUp::left_over)
    throw CommunicationError("a message was left that no rank of the kernel took",
                             "the next kernel would take it for one of its own",
                             "see to it that all ranks of a kernel call the same operations");
  if (reason == GivenUp::timeout)
    throw CommunicationError(
        fmt::format("a rank of the kernel waited longer than {} s for another", timeout),
        "all ranks of the kernel gave up",
        "see to it that all ranks call the same operations, or use a longer timeout if the heap is so slow");
}

}  // namespace haloheap::allocators::detail
