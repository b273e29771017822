// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_MALLOC_KERNELS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_MALLOC_KERNELS_HPP

#include <haloheap/miniapp/problems/allocators/address_range.hpp>
#include <haloheap/miniapp/problems/allocators/block_lists.hpp>
#include <haloheap/miniapp/problems/allocators/malloc_settings.hpp>
#include <haloheap/miniapp/problems/allocators/step_counts.hpp>

/// The kernels of malloc_sweep. Each is enqueued and not waited for, unless it returns a number.
namespace haloheap::malloc_kernels {

using Exec = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
using block_lists::List;
using block_lists::Lists;

/// A block that a kernel got, or null.
struct Held {
  void* block;
};

/// Blocks that kernels hold, by number; the key says the size of each.
struct Blocks {
  Held* held;
  std::uint32_t* keys;
  int count;
};

/// Where a thread's block begins.
struct InBlocks {
  const Held* held;
  KOKKOS_FUNCTION void* operator()(int i) const { return held[i].block; }
};
struct InArray {
  std::byte* first;
  std::size_t each;
  KOKKOS_FUNCTION void* operator()(int i) const { return first + static_cast<std::size_t>(i) * each; }
};

inline void clear(const Exec& exec, const Blocks& blocks) {
  Kokkos::parallel_for(
      "haloheap::malloc::clear", Policy(exec, 0, blocks.count), KOKKOS_LAMBDA(const int i) {
        blocks.held[i].block = nullptr;
        blocks.keys[i] = static_cast<std::uint32_t>(i);
      });
}

/// `Bounds`: Kokkos::LaunchBounds of the kernel, or nothing.
template <class Handle, class... Bounds>
void allocate(const Exec& exec, const Handle& heap, const Blocks& blocks, const RequestSizes& sizes) {
  Kokkos::parallel_for(
      "haloheap::malloc::allocate",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>, Bounds...>(exec, 0, blocks.count),
      KOKKOS_LAMBDA(const int i) {
        blocks.held[i].block = heap.allocate(sizes.of(static_cast<std::uint32_t>(i)));
      });
}

/// The keys take the numbers of steps instead.
template <class Handle>
void allocate_and_count(const Exec& exec, const Handle& heap, const Blocks& blocks,
                        const RequestSizes& sizes) {
  Kokkos::parallel_for(
      "haloheap::malloc::allocate_and_count", Policy(exec, 0, blocks.count), KOKKOS_LAMBDA(const int i) {
        std::uint32_t steps = 0;
        blocks.held[i].block = heap.allocate(sizes.of(static_cast<std::uint32_t>(i)), steps);
        blocks.keys[i] = steps;
      });
}

template <class Handle>
void release(const Exec& exec, const Handle& heap, const Blocks& blocks) {
  Kokkos::parallel_for(
      "haloheap::malloc::free", Policy(exec, 0, blocks.count),
      KOKKOS_LAMBDA(const int i) { heap.deallocate(blocks.held[i].block); });
}

/// Each thread gives its block back as soon as it has it; what it was stays in `held`, so that no compiler
/// leaves both out.
template <class Handle>
void allocate_and_free(const Exec& exec, const Handle& heap, const Blocks& blocks,
                       const RequestSizes& sizes) {
  Kokkos::parallel_for(
      "haloheap::malloc::allocate_and_free", Policy(exec, 0, blocks.count), KOKKOS_LAMBDA(const int i) {
        void* const block = heap.allocate(sizes.of(static_cast<std::uint32_t>(i)));
        blocks.held[i].block = block;
        heap.deallocate(block);
      });
}

/// Requests of whole warps ([Winter2021], Figure 9c): one lane of each asks, the others do nothing.
template <class Ask>
struct FirstOfWarp {
  Ask ask;
  KOKKOS_FUNCTION void operator()(const int thread) const {
    if (thread % MallocSettings::warp_threads == 0) ask(thread / MallocSettings::warp_threads);
  }
};

template <class Handle>
struct AllocateBlock {
  Handle heap;
  Held* held;
  RequestSizes sizes;
  KOKKOS_FUNCTION void operator()(const int i) const {
    held[i].block = heap.allocate(sizes.of(static_cast<std::uint32_t>(i)));
  }
};
template <class Handle>
struct ReleaseBlock {
  Handle heap;
  const Held* held;
  KOKKOS_FUNCTION void operator()(const int i) const { heap.deallocate(held[i].block); }
};
template <class Handle>
struct AllocateAndFreeBlock {
  AllocateBlock<Handle> allocate;
  KOKKOS_FUNCTION void operator()(const int i) const {
    allocate(i);
    allocate.heap.deallocate(allocate.held[i].block);
  }
};

/// Ask is one of these three.
template <class Ask>
void by_warps(const Exec& exec, const char* label, int warps, const Ask& ask) {
  Kokkos::parallel_for(label, Policy(exec, 0, MallocSettings::warp_threads * warps), FirstOfWarp<Ask>{ask});
}

/// Each thread replaces one of its blocks, `rounds` times, and adds the requests that got nothing.
template <class Handle>
void churn(const Exec& exec, const Handle& heap, const Blocks& blocks, const RequestSizes& sizes, int held,
           int rounds, std::uint64_t* failures) {
  const int threads = blocks.count / held;
  Kokkos::parallel_for(
      "haloheap::malloc::churn", Policy(exec, 0, threads), KOKKOS_LAMBDA(const int thread) {
        lanes::LaneRandom random(sizes.seed, static_cast<unsigned>(thread));
        std::uint64_t failed = 0;
        for (int round = 0; round < rounds; ++round) {
          const int i = static_cast<int>(random.below(static_cast<std::uint32_t>(held))) * threads + thread;
          heap.deallocate(blocks.held[i].block);
          const std::uint32_t key = random();
          void* const block = heap.allocate(sizes.of(key));
          blocks.held[i].block = block;
          blocks.keys[i] = key;
          failed += block == nullptr ? 1 : 0;
        }
        if (failed > 0) Kokkos::atomic_add(failures, failed);
      });
}

/// Blocks that were got, and bytes that were asked for and got.
inline Lists::Sum served(const Exec& exec, const Blocks& blocks, const RequestSizes& sizes) {
  Lists::Sum sum;
  Kokkos::parallel_reduce(
      "haloheap::malloc::served", Policy(exec, 0, blocks.count),
      KOKKOS_LAMBDA(const int i, std::uint64_t& count, std::uint64_t& bytes) {
        if (blocks.held[i].block == nullptr) return;
        ++count;
        bytes += sizes.of(blocks.keys[i]);
      },
      sum.blocks, sum.bytes);
  return sum;
}

struct FindAddressRange {
  Blocks blocks;
  RequestSizes sizes;
  KOKKOS_FUNCTION void operator()(const int i, std::uint64_t& begin, std::uint64_t& end) const {
    if (blocks.held[i].block == nullptr) return;
    const std::uint64_t first = reinterpret_cast<std::uintptr_t>(blocks.held[i].block);
    const std::uint64_t behind = first + sizes.of(blocks.keys[i]);
    if (first < begin) begin = first;
    if (behind > end) end = behind;
  }
};

/// Of the blocks that are held.
inline AddressRange address_range(const Exec& exec, const Blocks& blocks, const RequestSizes& sizes) {
  AddressRange range;
  Kokkos::parallel_reduce("haloheap::malloc::address_range", Policy(exec, 0, blocks.count),
                          FindAddressRange{blocks, sizes}, Kokkos::Min<std::uint64_t>(range.begin),
                          Kokkos::Max<std::uint64_t>(range.end));
  return range;
}

/// Each thread writes its own block, which begins at a multiple of 4 bytes; those behind the last such
/// multiple are left out.
template <class BlockOf>
struct Pass {
  BlockOf block_of;
  std::uint32_t words;
  KOKKOS_FUNCTION void operator()(const int i) const {
    auto* const block = static_cast<std::uint32_t*>(block_of(i));
    for (std::uint32_t k = 0; k < words; ++k) block[k] = static_cast<std::uint32_t>(i) + k;
  }
};

/// All blocks are there.
inline void pass(const Exec& exec, const Blocks& blocks, std::uint32_t bytes) {
  Kokkos::parallel_for("haloheap::malloc::pass", Policy(exec, 0, blocks.count),
                       Pass<InBlocks>{{blocks.held}, bytes / 4});
}

/// As many neighbours in an array.
inline void pass(const Exec& exec, std::byte* packed, int count, std::uint32_t bytes) {
  Kokkos::parallel_for("haloheap::malloc::pass_packed", Policy(exec, 0, count),
                       Pass<InArray>{{packed, bytes}, bytes / 4});
}

/// What block number i holds at a byte: others at other blocks, most probably.
KOKKOS_INLINE_FUNCTION unsigned char pattern(std::uint32_t block, std::uint32_t byte) {
  return static_cast<unsigned char>(lanes::bits::mix(block + 1) >> (8 * (byte % 4)));
}

KOKKOS_INLINE_FUNCTION void write_pattern(void* block, std::uint32_t number, std::uint32_t from,
                                          std::uint32_t bytes) {
  auto* const data = static_cast<unsigned char*>(block);
  for (std::uint32_t k = from; k < bytes; ++k) data[k] = pattern(number, k);
}

/// Whether the block is aligned and still holds all that was written.
KOKKOS_INLINE_FUNCTION bool is_right(const void* block, std::uint32_t number, std::uint32_t from,
                                     std::uint32_t bytes, std::size_t alignment) {
  if (reinterpret_cast<std::size_t>(block) % alignment != 0) return false;
  const auto* const data = static_cast<const unsigned char*>(block);
  for (std::uint32_t k = from; k < bytes; ++k)
    if (data[k] != pattern(number, k)) return false;
  return true;
}

inline std::uint64_t wrong_blocks(const Exec& exec, const Blocks& blocks, const RequestSizes& sizes,
                                  std::size_t alignment) {
  Kokkos::parallel_for(
      "haloheap::malloc::write", Policy(exec, 0, blocks.count), KOKKOS_LAMBDA(const int i) {
        if (blocks.held[i].block == nullptr) return;
        write_pattern(blocks.held[i].block, static_cast<std::uint32_t>(i), 0, sizes.of(blocks.keys[i]));
      });
  std::uint64_t wrong = 0;
  Kokkos::parallel_reduce(
      "haloheap::malloc::check", Policy(exec, 0, blocks.count),
      KOKKOS_LAMBDA(const int i, std::uint64_t& sum) {
        if (blocks.held[i].block == nullptr) return;
        const std::uint32_t bytes = sizes.of(blocks.keys[i]);
        sum += is_right(blocks.held[i].block, static_cast<std::uint32_t>(i), 0, bytes, alignment) ? 0 : 1;
      },
      wrong);
  return wrong;
}

/// Of lists as they were filled, none given back.
inline std::uint64_t wrong_blocks(const Exec& exec, const Lists& all, const RequestSizes& sizes,
                                  std::size_t alignment) {
  const List* const lists = all.data();
  const int count = all.count();
  Kokkos::parallel_for(
      "haloheap::malloc::write_lists", Policy(exec, 0, count), KOKKOS_LAMBDA(const int i) {
        void* block = lists[i].first;
        for (std::uint32_t n = lists[i].count; n-- > 0; block = List::next(block)) {
          const std::uint32_t key = block_lists::key(i, n, count);
          write_pattern(block, key, block_lists::min_bytes, sizes.of(key));
        }
      });
  std::uint64_t wrong = 0;
  Kokkos::parallel_reduce(
      "haloheap::malloc::check_lists", Policy(exec, 0, count),
      KOKKOS_LAMBDA(const int i, std::uint64_t& sum) {
        const void* block = lists[i].first;
        for (std::uint32_t n = lists[i].count; n-- > 0; block = List::next(block)) {
          const std::uint32_t key = block_lists::key(i, n, count);
          sum += is_right(block, key, block_lists::min_bytes, sizes.of(key), alignment) ? 0 : 1;
        }
      },
      wrong);
  return wrong;
}

}  // namespace haloheap::malloc_kernels

#endif
