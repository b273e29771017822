// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/slab_walk/slab_walk.hpp>

#include <gtest/gtest.h>

namespace haloheap::allocators {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;

struct SumInAView {
  SlabWalk::Handle heap;
  KOKKOS_FUNCTION void operator()(int i, long& sum) const {
    const auto view = heap.view<long>(100);
    for (int n = 0; n < 100; ++n) view(n) = i + n;
    for (int n = 0; n < 100; ++n) sum += view(n);
    heap.deallocate(view.data());
  }
};

TEST(ViewSource, KernelsUseViewsOfTheHeap) {
  const SlabWalk heap(Exec(), {.bytes = 16 << 20});
  long sum = 0;
  Kokkos::parallel_reduce("haloheap::test::views", Kokkos::RangePolicy<Exec>(0, 1000),
                          SumInAView{heap.handle()}, sum);
  EXPECT_EQ(sum, 100L * (999 * 1000 / 2) + 1000L * (99 * 100 / 2));
  EXPECT_EQ(heap.statistics(Exec()).in_use, 0U);
}

struct alignas(32) Wide {
  double values[4];
};
struct alignas(16) Sixteen {
  float values[12];  // 48 bytes: blocks side by side are at multiples of 16, and not of 32
};
struct Destroyed {
  ~Destroyed() {}
};

template <class T, class Handle>
constexpr bool has_view = requires(const Handle& handle) {
  handle.template view<T>(std::size_t{1});
};

// A block is aligned to 16 bytes, whatever is asked for: what needs more does not compile.
static_assert(has_view<Sixteen, SlabWalk::Handle>);
static_assert(!has_view<Wide, SlabWalk::Handle> && !has_view<Destroyed, SlabWalk::Handle>);

struct MisalignedViews {
  SlabWalk::Handle heap;
  KOKKOS_FUNCTION void operator()(int, int& wrong) const {
    const auto view = heap.view<Sixteen>(1);
    if (view.data() == nullptr || reinterpret_cast<std::uintptr_t>(view.data()) % alignof(Sixteen) != 0)
      ++wrong;
  }
};

TEST(ViewSource, ElementsAreAlignedAsTheirTypeAsks) {
  const SlabWalk heap(Exec(), {.bytes = 1 << 20});
  int wrong = 0;
  Kokkos::parallel_reduce("haloheap::test::aligned_views", Kokkos::RangePolicy<Exec>(0, 100),
                          MisalignedViews{heap.handle()}, wrong);
  EXPECT_EQ(wrong, 0);
}

struct AskForTooMuch {
  SlabWalk::Handle heap;
  std::size_t elements;
  KOKKOS_FUNCTION void operator()(int, int& wrong) const {
    const auto view = heap.view<double>(elements);
    if (view.data() != nullptr || view.extent(0) != 0) ++wrong;
  }
};

TEST(ViewSource, AFullHeapGivesAnEmptyView) {
  const SlabWalk heap(Exec(), {.bytes = 1 << 20});
  for (const std::size_t elements : {std::size_t{1} << 20, ~std::size_t{0}, (~std::size_t{0} >> 3) + 2}) {
    int wrong = 0;
    Kokkos::parallel_reduce("haloheap::test::empty_views", Kokkos::RangePolicy<Exec>(0, 10),
                            AskForTooMuch{heap.handle(), elements}, wrong);
    EXPECT_EQ(wrong, 0) << elements;
  }
}

}  // namespace
}  // namespace haloheap::allocators
