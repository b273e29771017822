// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_BLOCK_LISTS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_BLOCK_LISTS_HPP

#include <haloheap/core/lanes/random.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/miniapp/problems/allocators/request_sizes.hpp>

#include <algorithm>
#include <cstring>

/// As many blocks as a pool has room for, without an array of pointers that may be as large as the pool: each
/// thread keeps a list, whose pointers stand in the blocks themselves.
namespace haloheap::block_lists {

using Exec = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;

/// A request must have room for a pointer.
constexpr std::uint32_t min_bytes = sizeof(void*);

/// One list, for kernels. Blocks are appended in front.
struct List {
  void* first;
  std::uint32_t count;
  std::uint64_t bytes;  ///< that were asked for

  // Blocks of a few bytes need not be aligned to a pointer.
  KOKKOS_FUNCTION static void* next(const void* block) {
    void* pointer;
    memcpy(&pointer, block, sizeof pointer);
    return pointer;
  }
  KOKKOS_FUNCTION static void set_next(void* block, void* next) { memcpy(block, &next, sizeof next); }
};

/// Key of the sizes of block number n of a list.
KOKKOS_INLINE_FUNCTION std::uint32_t key(int list, std::uint32_t n, int lists) {
  return static_cast<std::uint32_t>(list) + n * static_cast<std::uint32_t>(lists);
}

class Lists {
 public:
  Lists(const Exec& exec, std::shared_ptr<memory::MemoryResource> memory, int lists)
      : lists_(std::move(memory), "haloheap::block_lists", static_cast<std::size_t>(lists)) {
    clear(exec);
  }

  /// Forgets all blocks.
  void clear(const Exec& exec) { Kokkos::deep_copy(exec, lists_.view(), List{nullptr, 0, 0}); }

  int count() const { return static_cast<int>(lists_.size()); }
  List* data() const { return lists_.view().data(); }

  struct Sum {
    std::uint64_t blocks = 0, bytes = 0;
  };
  Sum sum(const Exec& exec) const;

 private:
  memory::Array<List> lists_;
};

/// Lists for blocks of that size: long enough to be worth a thread, many enough for a device.
inline int lists_for(std::size_t pool_bytes, std::size_t block_bytes) {
  return static_cast<int>(std::clamp<std::size_t>(pool_bytes / block_bytes / 16, 1, std::size_t{1} << 20));
}

// Kernels are functors: lambdas in a header that several files include may be called wrongly by nvcc's code.

/// See grow.
template <class Handle>
struct Grow {
  Handle heap;
  List* lists;
  int count;
  RequestSizes sizes;
  std::uint32_t each;
  int rest;
  KOKKOS_FUNCTION void operator()(const int i) const {
    List list{nullptr, 0, 0};
    for (const std::uint32_t quota = each + (i < rest ? 1 : 0); list.count < quota; ++list.count) {
      const std::uint32_t bytes = sizes.of(key(i, list.count, count));
      void* const block = heap.allocate(bytes);
      if (block == nullptr) break;
      List::set_next(block, list.first);
      list.first = block;
      list.bytes += bytes;
    }
    lists[i] = list;
  }
};

/// Fills lists that are empty: each asks until the heap has nothing, or until all together have `maximum`.
template <class Handle>
void grow(const Exec& exec, const Handle& heap, const Lists& all, const RequestSizes& sizes,
          std::uint64_t maximum) {
  const auto count = static_cast<std::uint64_t>(all.count());
  Kokkos::parallel_for(
      "haloheap::block_lists::grow", Policy(exec, 0, all.count()),
      Grow<Handle>{heap, all.data(), all.count(), sizes, static_cast<std::uint32_t>(maximum / count),
                   static_cast<int>(maximum % count)});
}

/// See thin.
template <class Handle>
struct Thin {
  Handle heap;
  List* lists;
  std::uint64_t threshold;
  std::uint32_t seed;
  KOKKOS_FUNCTION void operator()(const int i) const {
    lanes::LaneRandom random(seed, static_cast<unsigned>(i));
    void* kept = nullptr;
    for (void* block = lists[i].first; block != nullptr;) {
      void* const next = List::next(block);
      if (random() < threshold) {
        heap.deallocate(block);
      } else {
        List::set_next(block, kept);
        kept = block;
      }
      block = next;
    }
    lists[i].first = kept;
  }
};

/// Gives back blocks at random, that share of all; the number and the bytes of lists that lose some are no
/// longer known.
template <class Handle>
void thin(const Exec& exec, const Handle& heap, const Lists& all, double share, std::uint32_t seed) {
  const auto threshold = static_cast<std::uint64_t>(share * 0x1p32);
  Kokkos::parallel_for("haloheap::block_lists::thin", Policy(exec, 0, all.count()),
                       Thin<Handle>{heap, all.data(), threshold, seed});
}

/// Gives back all.
template <class Handle>
void release(const Exec& exec, const Handle& heap, const Lists& all) {
  thin(exec, heap, all, 1, 0);
}

}  // namespace haloheap::block_lists

#endif
