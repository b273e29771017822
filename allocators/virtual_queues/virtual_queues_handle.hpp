// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_VIRTUAL_QUEUES_VIRTUAL_QUEUES_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_VIRTUAL_QUEUES_VIRTUAL_QUEUES_HANDLE_HPP

#include <haloheap/allocators/random_walk/steps.hpp>
#include <haloheap/allocators/view_source.hpp>
#include <haloheap/allocators/virtual_queues/virtual_queue.hpp>
#include <haloheap/core/lanes/group.hpp>

namespace haloheap::allocators::detail {

/// What kernels hold of a VirtualQueues heap.
///
/// A chunk is cut into pages of one class and stands in the queue of its class while it has free pages. The
/// lanes that want the same class send one of them, which takes a chunk, takes as many pages of it as they
/// need, and puts it back if pages are left. Where the class has no chunk it gets an untouched one, or one
/// that is wholly free. Who gives a page back to a chunk that nobody answers for puts it into a queue.
template <class Platform>
class VirtualQueuesHandle : public ViewSource<VirtualQueuesHandle<Platform>> {
  using Atomics = typename Platform::Atomics;
  using Lanes = typename Platform::Lanes;
  using Mask = typename Lanes::Mask;
  using Tables = ChunkTables<Platform>;
  using Queue = VirtualQueue<Platform>;
  using Word = typename Tables::Word;
  static constexpr std::uint32_t none = Queue::none;

 public:
  KOKKOS_FUNCTION explicit VirtualQueuesHandle(const Tables& tables) : tables_(tables) {}

  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    NoSteps none_counted;
    return allocate(bytes, none_counted);
  }

  /// Counts the chunks that are taken from queues for the lane and those who ask with it.
  template <class Steps>
  KOKKOS_FUNCTION void* allocate(std::size_t bytes, Steps& steps) const {
    const Lanes lanes = Lanes::here();
    const bool possible = bytes <= chunk_classes::chunk_bytes;
    const unsigned size_class = possible ? chunk_classes::of(bytes) : 0;
    std::byte* page = nullptr;
    Mask waiting = lanes.ballot(possible);
    while (waiting != 0) {
      const unsigned now = lanes.shuffle(size_class, lanes::bits::lowest(waiting));
      const Mask members = lanes.ballot(possible && size_class == now) & waiting;
      serve(lanes, members, now, page, steps);
      waiting &= ~members;
    }
    if (page == nullptr)
      FailureCounters<Platform>(tables_.failures).add(lanes::bits::mix(Platform::entropy()));
    return page;
  }

  KOKKOS_FUNCTION void deallocate(void* pointer) const {
    if (pointer == nullptr) return;
    const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(pointer) - tables_.pool);
    const auto chunk = static_cast<std::uint32_t>(offset >> chunk_classes::chunk_shift);
    const unsigned size_class = Atomics::load(&tables_.classes[chunk]);
    const auto page = static_cast<std::uint32_t>((offset & (chunk_classes::chunk_bytes - 1)) >>
                                                 chunk_classes::page_shift(size_class));
    Atomics::release_fence();  // what was written to the page comes before what its next owner writes
    Atomics::fetch_or(&tables_.bitmap(chunk)[page / 64], Word{1} << (page % 64));
    Atomics::release_fence();  // who counts on the page finds it
    const std::uint32_t before = Atomics::fetch_add(&tables_.states[chunk], 1U);
    if ((before & ChunkState::free_mask) + 1 == chunk_classes::pages(size_class)) count_empty(size_class, 1);
    if ((before & ChunkState::answered) != 0) return;
    // Meanwhile others may have put the chunk into a queue and taken all of it, and it may be of another
    // class.
    begin();
    if ((Atomics::fetch_or(&tables_.states[chunk], ChunkState::answered) & ChunkState::answered) == 0)
      put_back_or_leave(chunk);
    end();
  }

  /// See SizedHandle.
  KOKKOS_FUNCTION std::size_t usable_size(const void* pointer) const {
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(pointer) - tables_.pool);
    const unsigned size_class = Atomics::load(&tables_.classes[offset >> chunk_classes::chunk_shift]);
    return std::size_t{1} << chunk_classes::page_shift(size_class);
  }

 private:
  static constexpr unsigned max_looks = 1 << 10;

  /// Around all that may take a chunk out of a queue, or bring one.
  KOKKOS_FUNCTION void begin() const {
    Atomics::fetch_add(&tables_.shared->in_hands, Word{1});
    Atomics::fence();
  }
  /// Whether nobody else is at it.
  KOKKOS_FUNCTION bool end() const {
    Atomics::fence();
    return Atomics::fetch_add(&tables_.shared->in_hands, ~Word{0}) == 1;
  }

  /// A page for each of the members, as far as there are. All lanes of the group call.
  template <class Steps>
  KOKKOS_FUNCTION void serve(const Lanes& lanes, Mask members, unsigned size_class, std::byte*& page,
                             Steps& steps) const {
    const unsigned leader = lanes::bits::lowest(members);
    const bool is_member = (members >> lanes.lane() & 1) != 0;
    while (members != 0) {
      std::byte* first = nullptr;
      Word taken = 0;
      if (lanes.lane() == leader)
        taken = take_pages(size_class, static_cast<unsigned>(lanes::bits::count(members)), first);
      if (is_member) ++steps;
      taken = lanes.shuffle(taken, leader);
      if (taken == 0) return;
      first = reinterpret_cast<std::byte*>(lanes.shuffle(reinterpret_cast<std::uintptr_t>(first), leader));
      const auto rank = static_cast<unsigned>(lanes::bits::count(members & lanes::group::below(lanes)));
      const bool gets =
          (members >> lanes.lane() & 1) != 0 && rank < static_cast<unsigned>(lanes::bits::count(taken));
      if (gets)
        page = first + (static_cast<std::size_t>(lanes::group::nth(taken, rank))
                        << chunk_classes::page_shift(size_class));
      members &= ~lanes.ballot(gets);
    }
  }

  /// One lane's work: up to `wanted` pages of 64 in a row, a bit each, and the first of the 64. 0: there is
  /// none.
  KOKKOS_FUNCTION Word take_pages(unsigned size_class, unsigned wanted, std::byte*& first) const {
    for (unsigned look = 0; look < max_looks; ++look) {
      const Word version = Atomics::load(&tables_.shared->version);
      Atomics::fence();
      bool is_alone = false;
      if (may_have(size_class)) {
        begin();
        const std::uint32_t chunk = take_chunk(size_class);
        const Word taken = chunk == none ? 0 : take_of(chunk, size_class, wanted, first);
        is_alone = end();
        if (taken != 0) return taken;
      } else {  // thousands who find nothing at the same time have nothing in hands
        Atomics::fence();
        is_alone = Atomics::load(&tables_.shared->in_hands) == 0;
      }
      // Full, if nobody has a chunk in hands that we could not see, and nobody has brought one meanwhile.
      Atomics::fence();
      if (is_alone && Atomics::load(&tables_.shared->version) == version) return 0;
      Platform::pause();
    }
    return 0;
  }

  /// Whether there seems to be a chunk for the class, by loads alone.
  KOKKOS_FUNCTION bool may_have(unsigned size_class) const {
    if (counted(size_class) || counted(Tables::no_class_queue)) return true;
    if (Atomics::load(&tables_.shared->fresh) < tables_.chunks) return true;
    for (unsigned other = 0; other < chunk_classes::count; ++other)
      if (counted(other) && static_cast<std::int64_t>(Atomics::load(&tables_.heads[other].empty)) > 0)
        return true;
    return false;
  }
  KOKKOS_FUNCTION bool counted(unsigned queue) const {
    return static_cast<std::int64_t>(Atomics::load(&tables_.heads[queue].count)) > 0;
  }

  /// A chunk of the class that has free pages and that the caller answers for.
  KOKKOS_FUNCTION std::uint32_t take_chunk(unsigned size_class) const {
    const std::uint32_t own = Queue(tables_, size_class).take();
    if (own != none) return own;
    std::uint32_t chunk = Queue(tables_, Tables::no_class_queue).take();
    if (chunk == none) chunk = untouched();
    for (unsigned other = 0; other < chunk_classes::count && chunk == none; ++other)
      if (other != size_class) chunk = take_empty(other);
    if (chunk != none) start(chunk, size_class);
    return chunk;
  }

  KOKKOS_FUNCTION std::uint32_t untouched() const {
    if (Atomics::load(&tables_.shared->fresh) >= tables_.chunks) return none;
    const Word number = Atomics::fetch_add(&tables_.shared->fresh, Word{1});
    return number < tables_.chunks ? static_cast<std::uint32_t>(number) : none;
  }

  /// A chunk of another class of which nobody has a page. Looks at those in the queue once, at most.
  KOKKOS_FUNCTION std::uint32_t take_empty(unsigned other) const {
    const Queue queue(tables_, other);
    auto rest = static_cast<std::int64_t>(Atomics::load(&tables_.heads[other].count));
    for (; rest > 0 && static_cast<std::int64_t>(Atomics::load(&tables_.heads[other].empty)) > 0; --rest) {
      const std::uint32_t chunk = queue.take();
      if (chunk == none) return none;
      if (leave_class(chunk, other)) return chunk;
      queue.put(chunk);
    }
    return none;
  }

  /// Whether the chunk, which the caller answers for, is wholly free; then it has no class any more.
  KOKKOS_FUNCTION bool leave_class(std::uint32_t chunk, unsigned size_class) const {
    const std::uint32_t all = ChunkState::answered | chunk_classes::pages(size_class);
    if (Atomics::load(&tables_.states[chunk]) != all) return false;
    count_empty(size_class, -1);  // nobody has a page that could be given back
    return true;
  }

  KOKKOS_FUNCTION void start(std::uint32_t chunk, unsigned size_class) const {
    const unsigned pages = chunk_classes::pages(size_class);
    for (unsigned word = 0; word < Tables::bitmap_words; ++word) {
      const unsigned rest = word * 64 < pages ? pages - word * 64 : 0;
      Atomics::store(&tables_.bitmap(chunk)[word], lanes::bits::low<Word>(rest < 64 ? rest : 64));
    }
    Atomics::store(&tables_.classes[chunk], size_class);
    Atomics::fence();
    Atomics::store(&tables_.states[chunk], ChunkState::answered | pages);
    count_empty(size_class, 1);
  }

  /// Takes pages of a chunk that the caller answers for, and no longer does after that. Pages that are
  /// counted are in the bitmap; only who answers for the chunk takes them out.
  KOKKOS_FUNCTION Word take_of(std::uint32_t chunk, unsigned size_class, unsigned wanted,
                               std::byte*& first) const {
    const std::uint32_t free = Atomics::load(&tables_.states[chunk]) & ChunkState::free_mask;
    Atomics::fence();
    unsigned word = 0;
    Word there = 0;
    while ((there = Atomics::load(&tables_.bitmap(chunk)[word])) == 0) ++word;
    const Word taken = lanes::bits::lowest_few(there, wanted < free ? wanted : free);
    const auto count = static_cast<std::uint32_t>(lanes::bits::count(taken));
    Atomics::fetch_and(&tables_.bitmap(chunk)[word], ~taken);
    first = tables_.chunk(chunk) + (std::size_t{word} * 64 << chunk_classes::page_shift(size_class));
    const std::uint32_t before = Atomics::fetch_add(&tables_.states[chunk], ~count + 1);
    if ((before & ChunkState::free_mask) == chunk_classes::pages(size_class)) count_empty(size_class, -1);
    put_back_or_leave(chunk);
    return taken;
  }

  /// A chunk that the caller answers for comes to the queue of its class, or of no class, if it has free
  /// pages.
  KOKKOS_FUNCTION void put_back_or_leave(std::uint32_t chunk) const {
    const unsigned size_class = Atomics::load(&tables_.classes[chunk]);
    if (Atomics::compare_exchange(&tables_.states[chunk], ChunkState::answered, 0U) == ChunkState::answered)
      return;
    const bool empty = chunk_classes::pages(size_class) == 1 && leave_class(chunk, size_class);
    Queue(tables_, empty ? Tables::no_class_queue : size_class).put(chunk);
  }

  KOKKOS_FUNCTION void count_empty(unsigned size_class, int change) const {
    Atomics::fetch_add(&tables_.heads[size_class].empty,
                       static_cast<Word>(static_cast<std::int64_t>(change)));
  }

  Tables tables_;
};

}  // namespace haloheap::allocators::detail

#endif
