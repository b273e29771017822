// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The queues of virtual_queues, and its chunks, in all orders of a few lanes.
#include <haloheap/unit/allocators/plain_virtual_queues.hpp>
#include <haloheap/unit/allocators/protocol_check.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace haloheap::allocators {
namespace {

using namespace emulation;

template <class P>
using Heap = PlainVirtualQueues<P>;
constexpr std::size_t few_chunks = std::size_t{5} << 13;  // of which two or three are handed out

TEST(ChunkClasses, AreThePowersOfTwo) {
  const std::vector<std::pair<std::size_t, unsigned>> expected = {
      {0, 0}, {1, 0}, {16, 0}, {17, 1}, {32, 1}, {33, 2}, {256, 4}, {257, 5}, {4097, 9}, {8192, 9}};
  for (const auto& [bytes, size_class] : expected)
    EXPECT_EQ(detail::chunk_classes::of(bytes), size_class) << bytes;
  EXPECT_EQ(detail::chunk_classes::pages(0), 512U);
  EXPECT_EQ(detail::chunk_classes::pages(9), 1U);
}

/// A queue is first in, first out, over many segments, which come and go.
TEST(VirtualQueue, KeepsTheOrderOverManySegments) {
  const Heap<EmulatedPlatform> heap(few_chunks);
  const detail::VirtualQueue<EmulatedPlatform> queue(heap.tables(), 3);
  EXPECT_EQ(queue.take(), queue.none);
  for (std::uint32_t round = 0; round < 3000; ++round) {
    for (std::uint32_t i = 0; i < 3; ++i) queue.put(round + i);
    for (std::uint32_t i = 0; i < 3; ++i) ASSERT_EQ(queue.take(), round + i);
    ASSERT_EQ(queue.take(), queue.none);
  }
  unsigned free = 0;
  for (std::uint32_t i = 0; i < (heap.tables().segment_count + 63) / 64; ++i)
    free += static_cast<unsigned>(lanes::bits::count(heap.tables().free_segments[i]));
  EXPECT_GE(free, heap.tables().segment_count - 1) << "9000 entries have gone through";
}

/// Two lanes put, and a third takes while the chunk of its ticket is still on its way, where the queue's
/// tickets come to the end of a segment.
template <class P>
Trial take_between(unsigned tickets_before) {
  const auto heap = std::make_shared<Heap<P>>(few_chunks);
  const auto with_queue = [=](const auto& use) { use(detail::VirtualQueue<P>(heap->tables(), 3)); };
  with_queue([&](const detail::VirtualQueue<P>& queue) {
    for (unsigned i = 0; i < tickets_before; ++i) {
      queue.put(i);
      queue.take();
    }
  });
  const auto got = std::make_shared<std::vector<std::uint32_t>>();
  const auto take = [=] {
    with_queue([&](const detail::VirtualQueue<P>& queue) {
      const std::uint32_t chunk = queue.take();
      if (chunk != queue.none) got->push_back(chunk);
    });
  };
  const auto put = [=](std::uint32_t chunk) {
    return [=] { with_queue([=](const detail::VirtualQueue<P>& queue) { queue.put(chunk); }); };
  };
  return {{put(1000), put(2000), take}, [=]() -> std::string {
            const auto& tables = heap->tables();
            std::vector<std::uint32_t> all = *got;  // and what is in slots
            for (std::uint32_t i = 0; i < detail::start_count(tables); ++i) {
              const auto content = static_cast<std::uint32_t>(tables.segments[i]);
              if (content == 1000 || content == 2000) all.push_back(content);
            }
            std::sort(all.begin(), all.end());
            const bool right =
                all == std::vector<std::uint32_t>{1000, 2000} && tables.heads[3].count == 2 - got->size();
            return right ? "" : "chunks are lost, or taken twice";
          }};
}

TEST(VirtualQueue, LosesNothingInAnyOrder) {
  for (const unsigned before : {0U, 62U, 63U})
    expect_right([=] { return take_between<EmulatedPlatform>(before); }, {.preemptions = 3});
  for (const unsigned before : {62U, 63U})
    expect_caught("lost, or taken twice", [=] { return take_between<WithAtomics<TornCompare>>(before); },
                  {.preemptions = 3});
  const Explored result = explore_stops([] { return take_between<EmulatedPlatform>(63); });
  EXPECT_EQ(result.failure, "");
}

/// Two lanes put a chunk each into the same segment, and the reserve has no other.
template <class P>
Trial put_into_the_last_segment() {
  const auto heap = std::make_shared<Heap<P>>(few_chunks);
  const auto& tables = heap->tables();
  for (std::uint32_t i = 0; i < (tables.segment_count + 63) / 64; ++i) tables.free_segments[i] = i == 0;
  const auto put = [=](std::uint32_t chunk) {
    return [=] { detail::VirtualQueue<P>(heap->tables(), 3).put(chunk); };
  };
  return {{put(1000), put(2000)}, [=]() -> std::string {
            const detail::VirtualQueue<P> queue(heap->tables(), 3);
            const std::set<std::uint32_t> there = {queue.take(), queue.take()};
            return there == std::set<std::uint32_t>{1000, 2000} ? "" : "chunks are lost";
          }};
}

TEST(VirtualQueue, WhoWaitsForASegmentSeesThatAnotherLaneBroughtIt) {
  expect_right(put_into_the_last_segment<EmulatedPlatform>, {.preemptions = 3});
}

/// Two lanes take the last pages of a chunk, or one too many, while a third gives one back.
template <class P>
Trial take_and_give(std::size_t bytes, std::size_t left) {
  const auto heap = std::make_shared<Heap<P>>(few_chunks);
  std::vector<void*> blocks;
  while (void* const block = heap->handle().allocate(bytes)) blocks.push_back(block);
  for (; left > 0; --left) {
    heap->handle().deallocate(blocks.back());
    blocks.pop_back();
  }
  void* const given = blocks.front();
  const auto got = std::make_shared<std::set<void*>>();
  const auto take = [=] {
    void* const block = heap->handle().allocate(bytes);
    if (block != nullptr && !got->insert(block).second) Fibers::running().fail("a page has two owners");
  };
  return {{take, [=] { heap->handle().deallocate(given); }, take}, [=] { return heap->fault(); }};
}

TEST(VirtualQueues, PagesHaveOneOwnerAndChunksAreFound) {
  for (const std::size_t bytes : {std::size_t{8192}, std::size_t{4000}})
    for (const std::size_t left : {std::size_t{0}, std::size_t{1}, std::size_t{2}})
      expect_right([=] { return take_and_give<EmulatedPlatform>(bytes, left); }, {.preemptions = 2});
  expect_caught("a chunk is in nobody's hands", [] { return take_and_give<WithAtomics<TornAdd>>(4000, 1); },
                {.preemptions = 2});
}

/// Two lanes give back the pages of a full chunk: one of them queues it, and others may take all of it before
/// the other one looks.
template <class P>
Trial give_both_and_take() {
  const auto heap = std::make_shared<Heap<P>>(few_chunks);
  std::vector<void*> blocks;
  while (void* const block = heap->handle().allocate(4096)) blocks.push_back(block);
  const auto give = [=](std::size_t i) { return [=] { heap->handle().deallocate(blocks[i]); }; };
  return {{give(0), give(1), [=] { heap->handle().allocate(4096); }}, [=] { return heap->fault(); }};
}

/// The chunk is wanted by another class as soon as it is empty.
template <class P>
Trial give_both_and_take_for_another_class() {
  const auto heap = std::make_shared<Heap<P>>(few_chunks);
  std::vector<void*> blocks;
  while (void* const block = heap->handle().allocate(4096)) blocks.push_back(block);
  const auto give = [=](std::size_t i) { return [=] { heap->handle().deallocate(blocks[i]); }; };
  return {{give(0), give(1), [=] { heap->handle().allocate(100); }}, [=] { return heap->fault(); }};
}

TEST(VirtualQueues, AChunkIsQueuedOnceByWhoAnswersForIt) {
  expect_right(give_both_and_take<EmulatedPlatform>, {.preemptions = 3});
  expect_right(give_both_and_take_for_another_class<EmulatedPlatform>, {.preemptions = 3});
  expect_caught("has lost pages", give_both_and_take<WithAtomics<TornOr>>, {.preemptions = 3});
}

/// The pool's chunks have a class each, and one of them pages for all who ask.
template <class P>
Trial ask_for_pages_of_one_chunk(std::size_t lanes) {
  const auto heap = std::make_shared<Heap<P>>(few_chunks);
  heap->handle().allocate(16);
  while (heap->handle().allocate(8192) != nullptr) continue;
  const auto served = std::make_shared<std::size_t>(0);
  const auto ask = [=] { *served += heap->handle().allocate(16) != nullptr ? 1U : 0U; };
  return {std::vector<std::function<void()>>(lanes, ask), [=]() -> std::string {
            return *served == lanes ? heap->fault() : "refused although there are pages";
          }};
}

/// Who looks for an empty chunk has those of another class in hands, one after the other.
template <class P>
Trial ask_while_another_class_looks() {
  const auto heap = std::make_shared<Heap<P>>(few_chunks);
  std::vector<void*> blocks;
  while (void* const block = heap->handle().allocate(16)) blocks.push_back(block);
  blocks.erase(blocks.begin());  // of the first chunk one is in use
  for (void* const block : blocks) heap->handle().deallocate(block);
  const auto served = std::make_shared<bool>(false);
  return {{[=] { *served = heap->handle().allocate(16) != nullptr; }, [=] { heap->handle().allocate(32); }},
          [=]() -> std::string { return *served ? heap->fault() : "refused although there are pages"; }};
}

TEST(VirtualQueues, NobodyIsRefusedBecauseOthersHaveTheChunkInHands) {
  expect_right([] { return ask_for_pages_of_one_chunk<EmulatedPlatform>(2); }, {.preemptions = 3});
  expect_right([] { return ask_for_pages_of_one_chunk<EmulatedPlatform>(3); }, {.preemptions = 2});
  expect_right(ask_while_another_class_looks<EmulatedPlatform>, {.preemptions = 3});
}

/// Bits that are cleared, and of which nobody asks what they were, may stay set for others until a fence.
struct ClearedAtAFence : Atomics {
  static inline const void* begin = nullptr;
  static inline const void* end = nullptr;

  template <class T>
  static T fetch_and(T* to, std::type_identity_t<T> bits) {
    if (!Fibers::any() || to < begin || to >= end) return Atomics::fetch_and(to, bits);
    fence();
    late() = [to, bits] { Atomics::fetch_and(to, bits); };
    return *to;
  }
  static void fence() {
    if (!Fibers::any()) return;
    if (const auto clear = std::exchange(late(), nullptr)) clear();
  }
  static void release_fence() { fence(); }

 private:
  static std::function<void()>& late() {
    static std::map<unsigned, std::function<void()>> lanes;
    return lanes[Fibers::running().self()];
  }
};

/// Two lanes take a page each, of two chunks, and bring these back; a third finds one of the chunks before
/// its semaphore says so, since that says the same of the other chunk.
template <class P>
Trial take_of_two_chunks() {
  const auto heap = std::make_shared<Heap<P>>(few_chunks);
  std::vector<void*> blocks;
  while (void* const block = heap->handle().allocate(2048)) blocks.push_back(block);
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (i % 4 != 0) heap->handle().deallocate(blocks[i]);
  ClearedAtAFence::begin = heap->tables().bitmaps;
  ClearedAtAFence::end = heap->tables().bitmap(heap->tables().chunks);
  const auto got = std::make_shared<std::set<void*>>();
  const auto take = [=] {
    void* const block = heap->handle().allocate(2048);
    if (block != nullptr && !got->insert(block).second) Fibers::running().fail("a page has two owners");
  };
  return {{take, take, take}, [=] { return heap->fault(); }};
}

TEST(VirtualQueues, WhatWasTakenOfAChunkIsSeenByWhoFindsIt) {
  expect_right(take_of_two_chunks<WithAtomics<ClearedAtAFence>>, {.preemptions = 3});
}

TEST(VirtualQueues, AnEmptyChunkServesAnyClass) {
  Heap<EmulatedPlatform> heap(few_chunks);
  for (const std::size_t bytes : {16, 300, 8192, 50, 4096}) {
    std::vector<void*> blocks;
    while (void* const block = heap.handle().allocate(bytes)) blocks.push_back(block);
    EXPECT_EQ(blocks.size(),
              heap.tables().chunks * detail::chunk_classes::pages(detail::chunk_classes::of(bytes)));
    for (void* const block : blocks) heap.handle().deallocate(block);
    EXPECT_EQ(heap.in_use(), 0U);
    EXPECT_EQ(heap.fault(), "") << bytes;
  }
}

TEST(VirtualQueues, OversizeOfOneLaneIsItsOwn) {
  Heap<EmulatedPlatform> heap(std::size_t{64} << 13);
  std::vector<void*> blocks(32);
  RandomSchedule schedule(1);
  run_warps({1, 32}, schedule, [&](unsigned thread) {
    const std::size_t sizes[] = {8193, ~std::size_t{0}, 12, 0, 700};
    blocks[thread] = heap.handle().allocate(sizes[thread % 5]);
  });
  for (unsigned thread = 0; thread < 32; ++thread) EXPECT_EQ(blocks[thread] != nullptr, thread % 5 >= 2);
}

}  // namespace
}  // namespace haloheap::allocators
