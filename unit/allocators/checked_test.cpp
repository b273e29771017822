// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/bump/bump.hpp>
#include <haloheap/allocators/checked.hpp>
#include <haloheap/allocators/kokkos_pool/kokkos_pool.hpp>
#include <haloheap/allocators/native/native.hpp>
#include <haloheap/allocators/slab_walk/slab_walk.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/allocators/blocks.hpp>

namespace haloheap::allocators {
namespace {

using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<unsigned>>;
constexpr unsigned threads = 100;

template <class Handle>
struct Allocate {
  Handle heap;
  Blocks blocks;
  std::size_t bytes;
  KOKKOS_FUNCTION void operator()(unsigned i) const {
    blocks(i) = {static_cast<unsigned char*>(heap.allocate(bytes)), bytes};
    for (std::size_t b = 0; b < bytes; b = next_byte(b, bytes)) blocks(i).data[b] = stamp(i, b);
  }
};

/// As many as there can be.
template <class Handle>
struct Fill {
  Handle heap;
  Blocks blocks;
  KOKKOS_FUNCTION void operator()(unsigned i) const {
    blocks(i).data = static_cast<unsigned char*>(heap.allocate(100));
  }
};

/// Threads with a number that `every` divides write a byte that is `at` bytes from the beginning.
struct Scribble {
  Blocks blocks;
  std::ptrdiff_t at;
  unsigned every;
  KOKKOS_FUNCTION void operator()(unsigned i) const {
    if (i % every == 0) blocks(i).data[at] = static_cast<unsigned char>(blocks(i).data[at] ^ 0x55U);
  }
};

/// Gives back what is so many bytes from the beginning, and forgets nothing.
template <class Handle>
struct FreeAt {
  Handle heap;
  Blocks blocks;
  std::ptrdiff_t at;
  KOKKOS_FUNCTION void operator()(unsigned i) const { heap.deallocate(blocks(i).data + at); }
};

template <class A>
class CheckedHeaps : public ::testing::Test {
 protected:
  using Heap = Checked<A>;
  using Handle = typename Heap::Handle;

  /// What tests leave there is not worth telling.
  void TearDown() override { heap_.reset(exec_); }

  Blocks allocate(std::size_t bytes) {
    Blocks blocks("haloheap::test::blocks", threads);
    Kokkos::parallel_for("haloheap::test::allocate", Policy(exec_, 0, threads),
                         Allocate<Handle>{heap_.handle(), blocks, bytes});
    exec_.fence();
    return blocks;
  }
  void free(const Blocks& blocks, std::ptrdiff_t at = 0) {
    Kokkos::parallel_for("haloheap::test::free", Policy(exec_, 0, threads),
                         FreeAt<Handle>{heap_.handle(), blocks, at});
  }
  void scribble(const Blocks& blocks, std::ptrdiff_t at, unsigned every = 1) {
    Kokkos::parallel_for("haloheap::test::scribble", Policy(exec_, 0, threads), Scribble{blocks, at, every});
    exec_.fence();
  }
  /// All errors are of this kind, so many, at these blocks.
  void expect(HeapFault kind, std::size_t count, std::size_t bytes, const Blocks& blocks,
              std::ptrdiff_t at = 0) {
    const auto errors = heap_.errors(exec_);
    EXPECT_EQ(errors.size(), count);
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), blocks);
    for (const HeapError& error : errors) {
      EXPECT_EQ(error.kind, kind) << to_string(error);
      EXPECT_EQ(error.bytes, bytes);
      bool known = false;
      for (unsigned i = 0; i < threads; ++i) known = known || host(i).data + at == error.address;
      EXPECT_TRUE(known);
    }
  }
  std::size_t leaks() { return heap_.leaks(exec_).size(); }

  Exec exec_;
  Heap heap_{exec_, {.bytes = std::size_t{8} << 20, .label = "checked_one"}};
};

using Plain = ::testing::Types<SlabWalk, KokkosPool, Bump>;
TYPED_TEST_SUITE(CheckedHeaps, Plain, Names);

TYPED_TEST(CheckedHeaps, SaysNothingOfRightUse) {
  for (const std::size_t bytes : {0, 1, 15, 16, 17, 1000}) {
    const auto blocks = this->allocate(bytes);
    unsigned wrong = 0, there = 0;
    Kokkos::parallel_reduce("haloheap::test::check", Policy(this->exec_, 0, threads),
                            Check{blocks, TestFixture::Heap::promises({}).alignment}, wrong, there);
    EXPECT_EQ(wrong, 0U);
    EXPECT_EQ(there, threads);
    EXPECT_EQ(this->leaks(), threads);
    this->free(blocks);
    EXPECT_EQ(this->leaks(), 0U);
  }
  EXPECT_EQ(this->heap_.error_count(this->exec_), 0U);
}

TYPED_TEST(CheckedHeaps, KnowsItsPoolHoweverSmallItIs) {
  this->heap_ = typename TestFixture::Heap(this->exec_, {.bytes = 1 << 16, .label = "small"});
  const auto blocks = this->allocate(24);  // of slab_walk the metadata is larger than the pool
  EXPECT_EQ(this->leaks(), threads);
  this->free(blocks);
  EXPECT_EQ(this->leaks(), 0U);
  EXPECT_EQ(this->heap_.error_count(this->exec_), 0U);
}

TYPED_TEST(CheckedHeaps, FindsDoubleFrees) {
  const auto blocks = this->allocate(24);
  this->free(blocks);
  EXPECT_EQ(this->heap_.error_count(this->exec_), 0U);
  const std::size_t in_use = this->heap_.statistics(this->exec_).in_use;
  this->free(blocks);
  this->expect(HeapFault::double_free, threads, 0, blocks);
  EXPECT_EQ(this->heap_.statistics(this->exec_).in_use, in_use);
}

TYPED_TEST(CheckedHeaps, FindsDoubleFreesOfLargeBlocks) {
  const auto blocks = this->allocate(40'000);  // of slab_walk more than half a slab
  this->free(blocks);
  this->free(blocks);
  this->expect(HeapFault::double_free, threads, 0, blocks);
}

template <class Handle>
struct FreeTheSame {
  Handle heap;
  Blocks blocks;
  KOKKOS_FUNCTION void operator()(unsigned) const { heap.deallocate(blocks(0).data); }
};

TYPED_TEST(CheckedHeaps, OfManyThatFreeTheSameOneIsRight) {
  const auto blocks = this->allocate(24);
  Kokkos::parallel_for("haloheap::test::free_the_same", Policy(this->exec_, 0, threads),
                       FreeTheSame<typename TestFixture::Handle>{this->heap_.handle(), blocks});
  EXPECT_EQ(this->heap_.error_count(this->exec_), threads - 1);
  EXPECT_EQ(this->leaks(), threads - 1);
  for (const HeapError& error : this->heap_.errors(this->exec_)) {
    // Who comes between the one that is right and its poison does not know that it was a block.
    EXPECT_TRUE(error.kind == HeapFault::double_free || error.kind == HeapFault::foreign);
  }
}

std::string kernel_of(const HeapError& error) {
  return static_cast<const char*>(error.kernel);
}

TYPED_TEST(CheckedHeaps, NamesTheKernelThatFoundIt) {
  const auto blocks = this->allocate(24), others = this->allocate(24);
  this->free(blocks);
  this->free(blocks);
  {
    const KernelNames names;
    EXPECT_THROW((void)KernelNames(), UsageError);
    { const typename TestFixture::Heap ended(this->exec_, {.bytes = 8 << 20, .label = "ended"}); }
    const typename TestFixture::Heap other(this->exec_, {.bytes = 8 << 20, .label = "other"});
    Kokkos::parallel_for("haloheap::test::free_elsewhere", Policy(this->exec_, 0, threads),
                         FreeAt<typename TestFixture::Handle>{other.handle(), others, 0});
    EXPECT_EQ(kernel_of(other.errors(this->exec_).back()), "haloheap::test::free_elsewhere");
    this->scribble(others, 24, 10);
    Kokkos::parallel_for("haloheap::test::free_others", Policy(this->exec_, 0, threads),
                         FreeAt<typename TestFixture::Handle>{this->heap_.handle(), others, 0});
    Kokkos::parallel_for("haloheap::test::free_others_again", Policy(this->exec_, 0, 5),
                         FreeAt<typename TestFixture::Handle>{this->heap_.handle(), others, 0});
  }
  const auto more = this->allocate(24);
  this->free(more, 1);
  const auto errors = this->heap_.errors(this->exec_);
  ASSERT_EQ(errors.size(), threads + threads / 10 + 5 + threads);
  std::size_t number = 0;
  const auto expect_next = [&](std::size_t count, const std::string& kernel) {
    for (const std::size_t end = number + count; number < end; ++number)
      EXPECT_EQ(kernel_of(errors[number]), kernel) << number;
  };
  expect_next(threads, "");
  expect_next(threads / 10, "haloheap::test::free_others");
  expect_next(5, "haloheap::test::free_others_again");
  expect_next(threads, "");
  EXPECT_NE(to_string(errors[threads]).find(", kernel 'haloheap::test::free_others'"), std::string::npos);
  EXPECT_EQ(to_string(errors.back()).find("kernel"), std::string::npos);
}

template <class Handle>
struct FreeAndCount {
  Handle heap;
  Blocks blocks;
  KOKKOS_FUNCTION void operator()(unsigned i, unsigned& sum) const {
    heap.deallocate(blocks(i).data + 1);
    ++sum;
  }
  KOKKOS_FUNCTION void operator()(unsigned i, unsigned& sum, bool) const { (*this)(i, sum); }
};

std::vector<std::string> seen_by_tool;

TYPED_TEST(CheckedHeaps, NamesKernelsOfAllKindsBesideATool) {
  namespace tools = Kokkos::Tools::Experimental;
  const auto before = tools::get_callbacks();
  seen_by_tool.clear();
  tools::set_begin_parallel_reduce_callback([](const char* label, std::uint32_t, std::uint64_t* id) {
    *id = 7;
    seen_by_tool.emplace_back(label);
  });
  tools::set_end_parallel_reduce_callback(
      [](std::uint64_t id) { seen_by_tool.push_back(std::to_string(id)); });
  const auto blocks = this->allocate(24);
  const FreeAndCount<typename TestFixture::Handle> free{this->heap_.handle(), blocks};
  {
    const KernelNames names;
    unsigned sum = 0;
    Kokkos::parallel_reduce("reduce", Policy(this->exec_, 0, 3), free, sum);
    Kokkos::parallel_scan("scan", Policy(this->exec_, 0, 4), free);
  }
  tools::set_callbacks(before);
  EXPECT_EQ(seen_by_tool, (std::vector<std::string>{"reduce", "7"}));
  const auto errors = this->heap_.errors(this->exec_);
  ASSERT_GE(errors.size(), 3U + 4U) << "a scan may go over its range twice";
  for (std::size_t i = 0; i < errors.size(); ++i) EXPECT_EQ(kernel_of(errors[i]), i < 3 ? "reduce" : "scan");

  this->heap_.reset(this->exec_);
  this->free(blocks);
  EXPECT_EQ(kernel_of(this->heap_.errors(this->exec_).front()), "") << "reduce was before the reset";
}

TYPED_TEST(CheckedHeaps, FindsForeignPointers) {
  const auto blocks = this->allocate(100);
  for (const std::ptrdiff_t at : {1, 8, 16, 99, 1 << 30, -(1 << 30)}) {
    const std::size_t before = this->heap_.error_count(this->exec_);
    this->free(blocks, at);
    EXPECT_EQ(this->heap_.error_count(this->exec_), before + threads) << at;
  }
  this->heap_.reset(this->exec_);
  this->free(blocks);  // of before the reset
  this->expect(HeapFault::foreign, threads, 0, blocks);
}

TYPED_TEST(CheckedHeaps, ABlockOfAnotherHeapIsForeign) {
  typename TestFixture::Heap other(this->exec_, {.bytes = 8 << 20, .label = "other"});
  const auto blocks = this->allocate(100);
  Kokkos::parallel_for("haloheap::test::free_elsewhere", Policy(this->exec_, 0, threads),
                       FreeAt<typename TestFixture::Handle>{other.handle(), blocks, 0});
  EXPECT_EQ(other.error_count(this->exec_), threads);
  EXPECT_EQ(other.errors(this->exec_).front().kind, HeapFault::foreign);
  this->free(blocks);
  EXPECT_EQ(this->heap_.error_count(this->exec_), 0U);
}

TYPED_TEST(CheckedHeaps, FindsWritesBehindABlock) {
  for (const std::size_t bytes : {1, 15, 16, 17, 100}) {
    for (const std::ptrdiff_t beyond : {0, 1, 15}) {
      const auto blocks = this->allocate(bytes);
      this->scribble(blocks, static_cast<std::ptrdiff_t>(bytes) + beyond, 4);
      this->free(blocks);
      this->expect(HeapFault::overrun, threads / 4, bytes, blocks);
      this->heap_.reset(this->exec_);
    }
  }
}

TYPED_TEST(CheckedHeaps, FindsWritesInFrontOfABlock) {
  for (const std::ptrdiff_t at : {-1, -8, -9, -16}) {
    const auto blocks = this->allocate(100);
    this->scribble(blocks, at, 4);
    this->free(blocks);
    this->expect(HeapFault::underrun, threads / 4, 0, blocks);
    this->heap_.reset(this->exec_);
  }
}

TYPED_TEST(CheckedHeaps, FindsWritesToWhatWasFreed) {
  if (!TypeParam::promises({}).frees) GTEST_SKIP() << "nothing is given out again";
  const auto blocks = this->allocate(100);
  this->free(blocks);
  this->scribble(blocks, 37, 4);
  // As many as there can be, so that those are among them.
  const HeapConfig config{.bytes = std::size_t{8} << 20};
  const auto many_blocks = static_cast<unsigned>(config.bytes / 100);
  Blocks again("haloheap::test::blocks", many_blocks);
  Kokkos::parallel_for("haloheap::test::fill", Policy(this->exec_, 0, many_blocks),
                       Fill<typename TestFixture::Handle>{this->heap_.handle(), again});
  this->expect(HeapFault::use_of_freed, threads / 4, 0, blocks, 32);
}

TYPED_TEST(CheckedHeaps, TellsWhatIsLeftWhenItEnds) {
  std::string said;
  {
    typename TestFixture::Heap heap(this->exec_, {.bytes = 8 << 20, .label = "left_behind"});
    Blocks blocks("haloheap::test::blocks", 10);
    Kokkos::parallel_for("haloheap::test::allocate", Policy(this->exec_, 0, 10),
                         Allocate<typename TestFixture::Handle>{heap.handle(), blocks, 24});
    const auto leaks = heap.leaks(this->exec_);
    ASSERT_EQ(leaks.size(), 10U);
    EXPECT_EQ(leaks.front().bytes, 24U);
    typename TestFixture::Heap moved = std::move(heap);  // tells once
    ::testing::internal::CaptureStderr();
  }
  said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.find("haloheap: heap 'left_behind': 10 errors\n  never freed: 0x"), 0U) << said;
  EXPECT_NE(said.find(" (24 bytes)\n"), std::string::npos) << said;
  EXPECT_NE(said.find("\n  and 2 more\n"), std::string::npos) << said;
  EXPECT_EQ(said.find("left_behind", said.find("left_behind") + 1), std::string::npos) << said;
}

TYPED_TEST(CheckedHeaps, TellsErrorsThatNobodyAskedFor) {
  ::testing::internal::CaptureStderr();
  {
    typename TestFixture::Heap heap(this->exec_, {.bytes = 8 << 20, .label = "unasked"});
    Kokkos::parallel_for("haloheap::test::free_anything", Policy(this->exec_, 0, 1),
                         FreeAt<typename TestFixture::Handle>{heap.handle(), this->allocate(8), 0});
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr().find(
                "haloheap: heap 'unasked': 1 error\n  free of what is not a block of this heap: 0x"),
            0U);
  ::testing::internal::CaptureStderr();
  {
    typename TestFixture::Heap heap(this->exec_, {.bytes = 8 << 20, .label = "asked"});
    Kokkos::parallel_for("haloheap::test::free_anything", Policy(this->exec_, 0, 1),
                         FreeAt<typename TestFixture::Handle>{heap.handle(), this->allocate(8), 0});
    EXPECT_EQ(heap.errors(this->exec_).size(), 1U);
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(CheckedHeap, RefusesWhatHasNoPool) {
  try {
    Checked<Native> heap(Exec(), {.bytes = 1 << 20, .label = "mine"});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "the heap 'mine' cannot be checked: blocks of native do not stand in a pool of its own\n"
                 "  remedy: use another allocator, such as slab_walk");
  }
}

TEST(CheckedHeap, HasTheNameOfItsAllocator) {
  EXPECT_STREQ(Checked<SlabWalk>::name, "checked_slab_walk");
}

}  // namespace
}  // namespace haloheap::allocators
