// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// malloc, calloc, realloc, aligned_alloc and free over every heap that any lane may call; on devices, whose
// compiler takes long, over one of each kind.
#include <haloheap/allocators/allocator_list.hpp>
#include <haloheap/allocators/checked.hpp>
#include <haloheap/allocators/checked/checked_malloc_blocks.hpp>
#include <haloheap/allocators/malloc/malloc_calls.hpp>
#include <haloheap/backend/pragma.hpp>
#include <haloheap/unit/allocators/allocator_fixture.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::allocators {
namespace {

constexpr unsigned many_threads = 3000;

/// Blocks by calls: kernels of a test have many, and devices' compilers take long where each is in line.
template <class Handle>
struct NotInLine {
  using Blocks = detail::MallocBlocks<Handle>;
  static constexpr bool are_guarded = Blocks::are_guarded, are_alike = Blocks::are_alike;

  HALOHEAP_NOINLINE KOKKOS_FUNCTION static void* allocate(const Handle& heap, std::size_t bytes,
                                                          const CallSite& site) {
    return Blocks::allocate(heap, bytes, site);
  }
  HALOHEAP_NOINLINE KOKKOS_FUNCTION static void* allocate(const Handle& heap, std::size_t alignment,
                                                          std::size_t bytes, const CallSite& site) {
    return Blocks::allocate(heap, alignment, bytes, site);
  }
  HALOHEAP_NOINLINE KOKKOS_FUNCTION static void deallocate(const Handle& heap, void* block,
                                                           const CallSite& site) {
    Blocks::deallocate(heap, block, site);
  }
  HALOHEAP_NOINLINE KOKKOS_FUNCTION static std::size_t usable_size(const Handle& heap, const void* block) {
    return Blocks::usable_size(heap, block);
  }
};

/// What a kernel counts of each thread's answer: 0 where all is as it should be.
template <class A>
class MallocCallsOf : public AllocatorFixture<A> {
 protected:
  using typename AllocatorFixture<A>::Handle, typename AllocatorFixture<A>::Policy;
  using AllocatorFixture<A>::config, AllocatorFixture<A>::exec_;
  using Calls = MallocCalls<Handle, NotInLine<Handle>>;

  template <class Thread>
  unsigned wrong(const A& heap, const Thread& thread, unsigned threads = many_threads) {
    unsigned sum = 0;
    Kokkos::parallel_reduce("haloheap::test::malloc_calls", Policy(exec_, 0, threads),
                            Count<Thread>{heap.handle(), thread}, sum);
    return sum;
  }

  /// Nothing is left, where the heap knows.
  void expect_empty(const A& heap) {
    EXPECT_TRUE(!A::promises(config()).frees || heap.statistics(exec_).in_use == 0);
  }

 public:  // kernels of devices have no private names
  template <class Thread>
  struct Count {
    Handle heap;
    Thread thread;
    KOKKOS_FUNCTION void operator()(unsigned i, unsigned& sum) const {
      sum += thread(Calls(heap), i) ? 0 : 1;
    }
  };
};

/// The bytes of a block as they should be, from one of them on.
KOKKOS_INLINE_FUNCTION void fill(void* block, unsigned i, std::size_t bytes) {
  for (std::size_t b = 0; b < bytes; ++b)
    static_cast<unsigned char*>(block)[b] = static_cast<unsigned char>(i + 3 * b);
}
KOKKOS_INLINE_FUNCTION bool is_filled(const void* block, unsigned i, std::size_t bytes) {
  for (std::size_t b = 0; b < bytes; ++b)
    if (static_cast<const unsigned char*>(block)[b] != static_cast<unsigned char>(i + 3 * b)) return false;
  return true;
}
KOKKOS_INLINE_FUNCTION bool is_aligned(const void* block, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(block) % alignment == 0;
}

using Heaps =
    JoinedAllocators<std::conditional_t<on_host, DeviceAllocators, AllocatorTypes<WarpHeader, SlabWalk>>,
                     AllocatorTypes<Checked<SlabWalk>>>;
TYPED_TEST_SUITE(MallocCallsOf, typename AsTypes<Heaps>::type, Names);

struct HoldAndFree {
  template <class Calls>
  KOKKOS_FUNCTION bool operator()(const Calls& calls, unsigned i) const {
    const std::size_t bytes = i % 200;  // 0 as well
    void* const block = calls.malloc(bytes);
    if (block == nullptr || !is_aligned(block, 16)) return false;
    fill(block, i, bytes);
    const bool right = is_filled(block, i, bytes) && calls.usable_size(block) >= bytes;
    calls.free(block);
    calls.free(nullptr);
    return right;
  }
};
TYPED_TEST(MallocCallsOf, any_heap_give_blocks_and_take_them_back) {
  const TypeParam heap(this->exec_, this->config());
  EXPECT_EQ(this->wrong(heap, HoldAndFree{}), 0U);
  this->expect_empty(heap);
}

struct ClearAndSoil {
  template <class Calls>
  KOKKOS_FUNCTION bool operator()(const Calls& calls, unsigned i) const {
    const std::size_t count = i % 67, size = 3;
    auto* const block = static_cast<unsigned char*>(calls.calloc(count, size));
    if (block == nullptr) return false;
    bool right = true;
    for (std::size_t b = 0; b < count * size; ++b) right = right && block[b] == 0;
    for (std::size_t b = 0; b < count * size; ++b) block[b] = 255;
    calls.free(block);
    return right;
  }
};
TYPED_TEST(MallocCallsOf, calloc_clears_memory_that_others_have_used) {
  const TypeParam heap(this->exec_, this->config());
  for (int round = 0; round < 3; ++round) EXPECT_EQ(this->wrong(heap, ClearAndSoil{}), 0U) << round;
}

struct TooMuch {
  template <class Calls>
  KOKKOS_FUNCTION bool operator()(const Calls& calls, unsigned) const {
    constexpr std::size_t half = SIZE_MAX / 2 + 1;
    return calls.calloc(half, 2) == nullptr && calls.calloc(2, half) == nullptr &&
           calls.calloc(half / 2 + 1, 4) == nullptr && calls.malloc(SIZE_MAX) == nullptr &&
           calls.malloc(SIZE_MAX - 15) == nullptr && calls.aligned_alloc(256, SIZE_MAX) == nullptr &&
           calls.aligned_alloc(256, SIZE_MAX - 254) == nullptr;
  }
};
TYPED_TEST(MallocCallsOf, sizes_that_wrap_around_get_nothing) {
  const TypeParam heap(this->exec_, this->config());
  EXPECT_EQ(this->wrong(heap, TooMuch{}, 10), 0U);
}

struct Grow {
  template <class Calls>
  KOKKOS_FUNCTION bool operator()(const Calls& calls, unsigned i) const {
    void* block = calls.realloc(nullptr, 1);
    bool right = block != nullptr;
    for (std::size_t bytes = 1; right && bytes < 150; bytes = bytes * 3 / 2 + 1) {  // and back again
      fill(block, i, bytes);
      void* const next = calls.realloc(block, bytes * 3 / 2 + 1);
      if (next == nullptr) return false;
      block = next;
      right = is_filled(block, i, bytes) && is_aligned(block, 16) && calls.usable_size(block) > bytes;
    }
    void* const small = calls.realloc(block, 5);
    right = right && small != nullptr && is_filled(small, i, 5);
    return calls.realloc(small, 0) == nullptr && right;  // frees it
  }
};
TYPED_TEST(MallocCallsOf, realloc_keeps_what_is_in_a_block) {
  const TypeParam heap(this->exec_, this->config());
  EXPECT_EQ(this->wrong(heap, Grow{}), 0U);
  this->expect_empty(heap);
}

struct GrowWithinRoom {
  bool guarded;  ///< what is behind the end has to move with it
  bool alike;    ///< nothing can be saved

  template <class Calls>
  KOKKOS_FUNCTION bool operator()(const Calls& calls, unsigned) const {
    void* const block = calls.malloc(100);
    if (block == nullptr) return false;
    const std::size_t room = calls.usable_size(block);
    const bool stays = calls.realloc(block, room) == block;
    void* const half = calls.realloc(block, room - room / 2);
    if (half == nullptr || (half != block) != guarded) return false;
    void* const moved = calls.realloc(half, calls.usable_size(half) / 2 - 1);  // more would be wasted
    const bool moves = moved != half && moved != nullptr;
    calls.free(moved);
    return stays && moves == !alike;
  }
};
TYPED_TEST(MallocCallsOf, realloc_moves_only_if_it_must_or_saves_half) {
  const TypeParam heap(this->exec_, this->config());
  using OfHeap = NotInLine<typename TypeParam::Handle>;
  EXPECT_EQ(this->wrong(heap, GrowWithinRoom{OfHeap::are_guarded, OfHeap::are_alike}, 200), 0U);
  this->expect_empty(heap);
}

struct Align {
  std::size_t largest;  ///< that the heap gives, of a header and what is in front of it as well

  template <class Calls>
  KOKKOS_FUNCTION bool operator()(const Calls& calls, unsigned i) const {
    bool right = true;
    for (std::size_t alignment = 1; alignment <= 128; alignment *= 2) {
      const std::size_t bytes = i % 3 * 31;  // 0, 31, 62
      if (alignment + bytes > largest) continue;
      void* const before =
          calls.aligned_alloc(alignment, bytes);  // so that the next one is not a heap's first
      void* const block = calls.aligned_alloc(alignment, bytes);
      right = right && before != nullptr && is_aligned(before, alignment);
      right = right && block != nullptr && is_aligned(block, alignment) && calls.usable_size(block) >= bytes;
      if (block != nullptr) fill(block, i, bytes);
      right = right && is_filled(block, i, bytes);
      calls.free(before);
      calls.free(block);
    }
    for (const std::size_t alignment : {0, 3, 24, 129, 256})
      right = right && calls.aligned_alloc(alignment, 64) == nullptr;
    return right;
  }
};
TYPED_TEST(MallocCallsOf, aligned_blocks_go_back_as_others_do) {
  const TypeParam heap(this->exec_, this->config());
  EXPECT_EQ(this->wrong(heap, Align{TypeParam::promises(this->config()).largest}, 500), 0U);
  this->expect_empty(heap);
}

struct GrowInAFullHeap {
  template <class Calls>
  KOKKOS_FUNCTION bool operator()(const Calls& calls, unsigned i) const {
    void* const small = calls.malloc(40);
    void* const large = calls.malloc(200);
    if (small == nullptr || large == nullptr) return false;
    fill(small, i, 40);
    fill(large, i, 200);
    for (const std::size_t bytes : {200, 40, 1})
      while (calls.malloc(bytes) != nullptr) {
      }
    const std::size_t too_many = calls.usable_size(small) + 150;
    if (calls.realloc(small, too_many) != nullptr || calls.realloc(large, 20) != large) return false;
    return is_filled(small, i, 40) && is_filled(large, i, 200);
  }
};
TYPED_TEST(MallocCallsOf, realloc_that_finds_no_room_leaves_the_block) {
  const auto config = this->config(1 << 20);
  if (!TypeParam::promises(config).resets) GTEST_SKIP() << "does not keep to its size";
  const TypeParam heap(this->exec_, config);
  EXPECT_EQ(this->wrong(heap, GrowInAFullHeap{}, 1), 0U);
}

template <class A>
class MallocOfPages : public MallocCallsOf<A> {};
using PageHeaps =
    std::conditional_t<on_host,
                       AllocatorTypes<RandomWalk, RandomWalkBitmap, CollaborativeRandomWalk, PageQueue>,
                       AllocatorTypes<RandomWalk>>;
TYPED_TEST_SUITE(MallocOfPages, AsTypes<PageHeaps>::type, Names);

constexpr std::size_t page = 256;  // bytes
struct Held {
  unsigned char* block;
};
using HeldBlocks = Kokkos::View<Held*, Exec>;

struct TakePages {
  HeldBlocks held;
  template <class Calls>
  KOKKOS_FUNCTION bool operator()(const Calls& calls, unsigned i) const {
    const std::size_t bytes = 1 + i % 100;
    held(i) = {static_cast<unsigned char*>(calls.malloc(bytes))};
    if (held(i).block == nullptr) return false;
    fill(held(i).block, i, bytes);
    return calls.usable_size(held(i).block) == page;
  }
};
struct GrowToPages {
  HeldBlocks held;
  template <class Calls>
  KOKKOS_FUNCTION bool operator()(const Calls& calls, unsigned i) const {
    unsigned char* const block = held(i).block;
    bool right = true;
    for (std::size_t bytes = 1 + i % 100, more = 0; bytes < page; bytes = more) {
      more = 2 * bytes < page ? 2 * bytes : page;
      right = right && calls.realloc(block, more) == block && is_filled(block, i, bytes);
      fill(block, i, more);
    }
    return right;
  }
};
struct LeavePages {
  HeldBlocks held;
  template <class Calls>
  KOKKOS_FUNCTION bool operator()(const Calls& calls, unsigned i) const {
    unsigned char* const block = held(i).block;
    const bool whole = is_filled(block, i, page);  // although the neighbours were filled up to their ends
    const bool shrinks = calls.realloc(block, 1) == block && is_filled(block, i, 1);
    const bool refuses = calls.realloc(block, page + 1) == nullptr && is_filled(block, i, page);
    calls.free(block);
    return whole && shrinks && refuses;
  }
};
TYPED_TEST(MallocOfPages, grow_where_they_are_up_to_a_page) {
  const TypeParam heap(this->exec_, this->config(page * many_threads));  // no page is left
  const HeldBlocks held("haloheap::test::held", many_threads);
  EXPECT_EQ(this->wrong(heap, TakePages{held}), 0U);
  EXPECT_EQ(this->wrong(heap, GrowToPages{held}), 0U);
  EXPECT_EQ(this->wrong(heap, LeavePages{held}), 0U);
  EXPECT_EQ(heap.statistics(this->exec_).in_use, 0U);
}

struct AskForSizes {
  SlabWalk::Handle handle;
  Kokkos::View<std::size_t[3]> sizes;
  KOKKOS_FUNCTION void operator()(int) const {
    const MallocCalls calls(handle);
    sizes(0) = calls.usable_size(calls.malloc(16));
    sizes(1) = calls.usable_size(calls.malloc(513));
    sizes(2) = calls.usable_size(calls.malloc(40'000));  // more than half a slab
  }
};
TEST(MallocBlocks, of_a_heap_that_knows_their_sizes_have_no_header) {
  const Exec exec;
  const SlabWalk heap(exec, {.bytes = 1 << 20});
  Kokkos::View<std::size_t[3]> sizes("haloheap::test::sizes");
  const auto handle = heap.handle();
  Kokkos::parallel_for("haloheap::test::sizes", Kokkos::RangePolicy(exec, 0, 1), AskForSizes{handle, sizes});
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sizes);
  EXPECT_EQ(found(0), 16U);
  EXPECT_EQ(found(1), 528U) << "512 to 1024 bytes in 32 steps";
  EXPECT_EQ(found(2), 65536U) << "a slab";
}

}  // namespace
}  // namespace haloheap::allocators
