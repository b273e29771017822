// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANKS_KERNEL_RANKS_HPP
#define HALOHEAP_ALLOCATORS_RANKS_KERNEL_RANKS_HPP

#include <haloheap/allocators/fetch.hpp>
#include <haloheap/allocators/heap_config.hpp>
#include <haloheap/allocators/ranks/collectives.hpp>
#include <haloheap/core/memory/array.hpp>

#include <memory>
#include <utility>

namespace haloheap::allocators {

namespace detail {

/// @throws UsageError for no rank, a timeout that is not positive, or memory that kernels cannot reach
unsigned checked_ranks(const memory::MemoryResource* memory, unsigned ranks, double timeout);

struct RankTeams {
  int count, size;
};
/// @throws UsageError if the ranks are no whole number of teams; CapabilityError if they are not resident at
/// once
RankTeams resident_teams(unsigned ranks, unsigned threads);

/// Waits for the kernel, and says whether no mailbox holds a message.
bool all_empty(const HeapConfig::Exec& exec, const Mailbox* mailboxes, std::size_t count);

void require_done(GivenUp reason, double timeout);

}  // namespace detail

/// The threads of one kernel as ranks with collective operations, which talk to each other through memory of
/// a heap: GPU-MPI of [Blach2022]. This is the host's side, and owns the mailboxes:
///
///     KernelRanks ranks(exec, memory, heap, 64);
///     using Policy = decltype(ranks)::Policy;
///     const auto world = ranks.in_kernel();  // small, by value in kernels
///     Kokkos::parallel_for("sum", ranks.policy(exec, 32), KOKKOS_LAMBDA(const Policy::member_type& member) {
///       const auto me = world.of(rank_of(member));
///       me.run(Collective::reduce, member, from(me.rank()), to(me.rank()), n);
///     });
///     ranks.require_done(exec);
///
/// Ranks wait for each other, so all must be resident at once: policy() sees to it. A kernel may do as many
/// operations as it wants, one after the other, if all ranks do the same; call require_done after each
/// kernel.
template <class Heap>
class KernelRanks {
 public:
  using Exec = HeapConfig::Exec;
  using Handle = typename Heap::Handle;
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<1024, 1>>;

  /// @param memory that kernels reach, for the mailboxes
  /// @param heap of the messages; it must outlive this
  /// @param ranks how many
  /// @param operations that kernels use, and no other: alltoall has 8 bytes for each two ranks
  /// @param timeout in seconds; a rank that waits longer for another gives up, and with it all do
  /// @throws UsageError for no rank, a timeout that is not positive, or memory that kernels cannot reach;
  /// OutOfMemory
  KernelRanks(const Exec& exec, std::shared_ptr<memory::MemoryResource> memory, const Heap& heap,
              unsigned ranks,
              std::initializer_list<Collective> operations = {Collective::reduce, Collective::broadcast,
                                                              Collective::alltoall},
              double timeout = 60)
      : heap_(&heap),
        ranks_(detail::checked_ranks(memory.get(), ranks, timeout)),
        timeout_(timeout),
        places_(operations, ranks),
        mailboxes_(memory, "haloheap::allocators::mailboxes", places_.count),
        given_up_(memory, "haloheap::allocators::given_up", 1) {
    empty(exec);
  }

  /// The collective operations of rank 0; see RankCollectives::of.
  RankCollectives<Handle> in_kernel() const {
    const RankMessages<Handle> messages(heap_->handle(), mailboxes_.data(), given_up_.data(),
                                        static_cast<std::uint64_t>(1e9 * timeout_));
    return {messages, places_, 0, ranks_};
  }

  /// For a kernel of all ranks: teams of so many threads, or of one where kernels run on a host, all of which
  /// are resident. rank_of(member) is a thread's rank.
  /// @throws UsageError if the ranks are no whole number of teams; CapabilityError if they are not resident
  /// at once
  Policy policy(const Exec& exec, unsigned threads) const {
    const detail::RankTeams teams = detail::resident_teams(ranks_, threads);
    return Policy(exec, teams.count, teams.size).set_chunk_size(1);
  }

  /// Waits for the kernel. If it gave up, or left a message that no rank took, the mailboxes are emptied for
  /// the next one: what the operations of that kernel have made is not to be used, and blocks of its messages
  /// stay in use until the heap is reset.
  GivenUp given_up(const Exec& exec) const {
    auto reason = static_cast<GivenUp>(fetch(exec, given_up_.data(), 1).front());
    if (reason == GivenUp::no && !detail::all_empty(exec, mailboxes_.data(), places_.count))
      reason = GivenUp::left_over;
    if (reason != GivenUp::no) empty(exec);
    return reason;
  }
  /// Waits for the kernel as given_up() does. @throws OutOfMemory if a rank got no memory, CommunicationError
  /// if one waited too long for another
  void require_done(const Exec& exec) const { detail::require_done(given_up(exec), timeout_); }

  unsigned size() const { return ranks_; }

 private:
  void empty(const Exec& exec) const {
    Kokkos::deep_copy(exec, mailboxes_.view(), Mailbox{nullptr});
    Kokkos::deep_copy(exec, given_up_.view(), 0);
  }

  const Heap* heap_;
  unsigned ranks_;
  double timeout_;
  MailboxPlaces places_;
  memory::Array<Mailbox> mailboxes_;
  memory::Array<int> given_up_;
};

/// The rank of a thread in a kernel with KernelRanks::policy.
template <class Member>
KOKKOS_FUNCTION unsigned rank_of(const Member& member) {
  return static_cast<unsigned>(member.league_rank() * member.team_size() + member.team_rank());
}

}  // namespace haloheap::allocators

#endif
