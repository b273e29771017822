// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The claims of conformance.hpp, on warps of 32 lanes that take turns in any order.
#include <haloheap/unit/allocators/plain_heap_list.hpp>
#include <haloheap/unit/core/lanes/emulated_warp.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

namespace haloheap::allocators {
namespace {

using emulation::EmulatedPlatform;
using emulation::Fibers;
using emulation::Grid;

/// HALOHEAP_MORE_SEEDS=100 tries a hundred times as many orders.
unsigned seeds(unsigned count) {
  const char* const more = std::getenv("HALOHEAP_MORE_SEEDS");
  return more == nullptr ? count : count * static_cast<unsigned>(std::atoi(more));
}

struct Block {
  void* data = nullptr;
  std::size_t bytes = 0;
};

/// Whose each grain of a pool is: sees an overlap at once.
class Owners {
 public:
  Owners(const std::byte* pool, std::size_t bytes, const Promises& promises)
      : pool_(pool),
        grain_(promises.alignment),
        from_16_(promises.alignment_from_16),
        owners_((bytes + grain_ - 1) / grain_) {}

  void take(const Block& block, unsigned owner) { change(block, 0, owner); }
  void give(const Block& block, unsigned owner) { change(block, owner, 0); }

 private:
  void change(const Block& block, unsigned from, unsigned to) {
    const std::size_t offset = static_cast<std::size_t>(static_cast<const std::byte*>(block.data) - pool_);
    if (offset % (block.bytes < 16 ? grain_ : from_16_) != 0)
      Fibers::running().fail("a block is not aligned");
    const std::size_t end = offset + std::max<std::size_t>(block.bytes, 1);
    if (end > owners_.size() * grain_) Fibers::running().fail("a block is not in the pool");
    for (std::size_t g = offset / grain_; g < (end + grain_ - 1) / grain_; ++g) {
      if (owners_[g] != from)
        Fibers::running().fail("lanes " + std::to_string(owners_[g]) + " and " + std::to_string(from + to) +
                               " have the same memory");
      owners_[g] = to;
    }
  }

  const std::byte* pool_;
  std::size_t grain_, from_16_;
  std::vector<unsigned> owners_;
};

template <class Heap>
class EmulatedConformance : public ::testing::Test {
 protected:
  static bool frees() { return Heap::Allocator::promises({}).frees; }

  /// A heap of four of what slab_walk calls slabs.
  void make(std::size_t bytes = std::size_t{4} << 16) {
    heap_ = std::make_unique<Heap>(bytes);
    owners_ = std::make_unique<Owners>(heap_->pool(), heap_->bytes(), Heap::Allocator::promises({}));
  }

  Block allocate(unsigned thread, std::size_t bytes) {
    const Block block{heap_->handle().allocate(bytes), bytes};
    if (block.data != nullptr) owners_->take(block, thread + 1);
    return block;
  }
  void free(unsigned thread, Block& block) {
    if (block.data != nullptr && frees()) owners_->give(block, thread + 1);
    heap_->handle().deallocate(block.data);
    block.data = nullptr;
  }

  template <class Kernel>
  void run(unsigned seed, Grid grid, const Kernel& kernel) {
    emulation::RandomSchedule schedule(seed);
    ASSERT_NO_THROW(emulation::run_warps(grid, schedule, kernel)) << "seed " << seed;
    EXPECT_EQ(heap_->fault(), "") << "seed " << seed;
  }

  /// Lanes allocate until more than all is asked for; the blocks by lane.
  std::vector<std::vector<Block>> fill(unsigned seed, Grid grid, std::size_t bytes, std::size_t room) {
    std::vector<std::vector<Block>> blocks(grid.threads());
    const std::size_t each = room / grid.threads() + 2;
    run(seed, grid, [&](unsigned thread) {
      for (std::size_t i = 0; i < each; ++i) blocks[thread].push_back(allocate(thread, bytes));
    });
    return blocks;
  }
  static std::size_t served(const std::vector<std::vector<Block>>& blocks) {
    std::size_t count = 0;
    for (const auto& of_lane : blocks)
      count += static_cast<std::size_t>(
          std::count_if(of_lane.begin(), of_lane.end(), [](const Block& b) { return b.data != nullptr; }));
    return count;
  }
  /// How many blocks to ask for: as many as there are, or where that depends, one for each 1024 bytes.
  std::size_t room(std::size_t bytes) const {
    const std::size_t exact = heap_->capacity(bytes);
    return exact > 0 ? exact : heap_->bytes() / 1024;
  }
  void expect_room(unsigned seed, std::size_t bytes, std::size_t got) const {
    if (heap_->capacity(bytes) > 0) {
      EXPECT_EQ(got, room(bytes)) << "seed " << seed << " size " << bytes;
    } else {  // groups of any number of lanes may have left no slab to those of another number
      EXPECT_GT(got, 0U) << "seed " << seed << " size " << bytes;
    }
  }
  /// A heap in which all is free serves as much as a new one. Where lanes that meet need other room than a
  /// lane alone, it is a lane alone that asks; blocks above 16 bytes need at most twice their bytes then.
  void expect_all_free(unsigned seed, Grid grid, std::size_t bytes) {
    if (heap_->capacity(bytes) > 0) {
      expect_room(seed, bytes, served(fill(seed, grid, bytes, room(bytes))));
    } else {
      const std::size_t all = std::min(room(bytes), heap_->bytes() / (2 * bytes));
      EXPECT_GE(served(fill(seed, Grid{1, 1}, bytes, all)), all) << "seed " << seed << " size " << bytes;
    }
  }
  /// Each lane frees what another one, perhaps of another warp, has.
  void free_all(unsigned seed, Grid grid, std::vector<std::vector<Block>>& blocks) {
    run(seed, grid, [&](unsigned thread) {
      const unsigned other = (thread * 5 + 7) % grid.threads();
      for (Block& block : blocks[other]) free(other, block);
    });
  }

  std::unique_ptr<Heap> heap_;
  std::unique_ptr<Owners> owners_;
};

TYPED_TEST_SUITE(EmulatedConformance, PlainHeaps<EmulatedPlatform>, PlainHeapNames);

TYPED_TEST(EmulatedConformance, BlocksAreTheirOwnersUpToTheSizeThatIsTold) {
  using Handle = decltype(std::declval<TypeParam>().handle());
  if constexpr (!SizedHandle<Handle>) {
    GTEST_SKIP() << "does not know how large its blocks are";
  } else {
    static constexpr Grid grid{2, 32};
    for (unsigned seed = 0; seed < seeds(10); ++seed) {
      this->make(std::size_t{64} << 16);  // there is room for all sizes
      std::vector<Block> blocks(grid.threads());
      this->run(seed, grid, [&](unsigned thread) {
        const auto sizes = this->heap_->sizes();
        const std::size_t asked = sizes[thread % sizes.size()];
        void* const data = this->heap_->handle().allocate(asked);
        if (data == nullptr) return;
        blocks[thread] = {data, this->heap_->handle().usable_size(data)};
        if (blocks[thread].bytes < asked) Fibers::running().fail("a block is too small");
        this->owners_->take(blocks[thread], thread + 1);
      });
      EXPECT_EQ(this->served({blocks}), grid.threads()) << "seed " << seed;
      this->run(seed, grid, [&](unsigned thread) { this->free(thread, blocks[thread]); });
    }
  }
}

TYPED_TEST(EmulatedConformance, AFullHeapHasServedAllAndRecoversAll) {
  static constexpr Grid grid{3, 32};
  for (unsigned seed = 0; seed < seeds(40); ++seed) {
    this->make();
    const auto sizes = this->heap_->sizes();
    for (unsigned round = 0; round < 3; ++round) {  // another size each time, on what the one before left
      const std::size_t bytes = sizes[(seed + round) % sizes.size()];
      auto blocks = this->fill(seed, grid, bytes, this->room(bytes));
      this->expect_room(seed, bytes, this->served(blocks));
      if (!this->frees()) break;
      this->free_all(seed + 1, grid, blocks);
      EXPECT_EQ(this->heap_->in_use(), 0U) << "seed " << seed;
      if (this->HasFailure()) return;
    }
    if (!this->frees()) continue;
    this->expect_all_free(seed, grid, sizes[seed % sizes.size()]);
    if (this->HasFailure()) return;
  }
}

/// Each lane holds up to `held` blocks and replaces them at random; all are free at the end.
template <class Allocate, class Free>
void churn(unsigned thread, unsigned seed, unsigned rounds, unsigned held, const Allocate& allocate,
           const Free& free) {
  std::minstd_rand random(seed * 1000 + thread + 1);
  std::vector<Block> blocks(held);
  for (unsigned round = 0; round < rounds; ++round) {
    Block& block = blocks[random() % held];
    free(thread, block);
    if (random() % 4 != 0) block = allocate(thread, random);
  }
  for (Block& block : blocks) free(thread, block);
}

TYPED_TEST(EmulatedConformance, RandomOperationsOfAllSizesDoNotOverlap) {
  static constexpr Grid grid{3, 32};
  for (unsigned seed = 0; seed < seeds(60); ++seed) {
    this->make();
    const auto sizes = this->heap_->sizes();
    this->run(seed, grid, [&](unsigned thread) {
      churn(
          thread, seed, 20, 3,
          [&](unsigned t, auto& random) {
            const std::size_t size =
                random() % 8 == 0 ? this->heap_->large() : sizes[random() % sizes.size()];
            return this->allocate(t, random() % 3 == 0 ? random() % size : size);
          },
          [&](unsigned t, Block& block) { this->free(t, block); });
    });
    if (!this->frees()) continue;
    EXPECT_EQ(this->heap_->in_use(), 0U) << "seed " << seed;
    const std::size_t bytes = sizes[seed % sizes.size()];
    this->expect_all_free(seed, grid, bytes);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(EmulatedConformance, SizesTakeFromEachOtherWhatIsEmpty) {
  if (!this->frees()) GTEST_SKIP() << "frees nothing";
  static constexpr Grid grid{4, 8};
  for (unsigned seed = 0; seed < seeds(200); ++seed) {
    this->make(std::size_t{2} << 16);
    const auto sizes = this->heap_->sizes();
    this->run(seed, grid, [&](unsigned thread) {
      churn(
          thread, seed, 30, 1,
          [&](unsigned t, auto& random) {  // each warp stays with a size for a while
            return this->allocate(t, sizes[(t / grid.lanes + random() % 8 / 7) % sizes.size()]);
          },
          [&](unsigned t, Block& block) { this->free(t, block); });
    });
    EXPECT_EQ(this->heap_->in_use(), 0U) << "seed " << seed;
    const std::size_t bytes = sizes[seed % sizes.size()];
    this->expect_all_free(seed, grid, bytes);
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(EmulatedConformance, WhoHasRoomGetsIt) {
  // One block a lane is always left over: a warp may take too much for a moment, before it gives it back.
  if (!this->frees()) GTEST_SKIP() << "frees nothing";
  static constexpr Grid grid{2, 32};
  for (unsigned seed = 0; seed < seeds(60); ++seed) {
    this->make();
    const std::size_t bytes = 1000, all = this->heap_->capacity(bytes);
    if (all == 0) GTEST_SKIP() << "how much room there is depends on where it is";
    const std::size_t room = all / grid.threads() - 1;
    ASSERT_GE(room, 1U);
    unsigned refused = 0;
    this->run(seed, grid, [&](unsigned thread) {
      churn(
          thread, seed, 20, static_cast<unsigned>(room),
          [&](unsigned t, auto&) {
            const Block block = this->allocate(t, bytes);
            if (block.data == nullptr) ++refused;
            return block;
          },
          [&](unsigned t, Block& block) { this->free(t, block); });
    });
    EXPECT_EQ(refused, 0U) << "seed " << seed;
  }
}

}  // namespace
}  // namespace haloheap::allocators
