// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/slab_walk/slab_classes.hpp>
#include <haloheap/allocators/slab_walk/slab_layout.hpp>
#include <haloheap/allocators/slab_walk/slab_walk.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/lanes/platform.hpp>

#include <gtest/gtest.h>

namespace haloheap::allocators {
namespace {

TEST(SlabClasses, FitTheirRequestsAndWasteLittle) {
  for (std::uint32_t bytes = 1; bytes <= (4U << 20); bytes += 1 + bytes / 100) {
    const unsigned number = detail::slab_classes::of(bytes);
    EXPECT_GE(detail::slab_classes::size(number), bytes);
    EXPECT_LE(detail::slab_classes::size(number), (bytes + 15) / 16 * 16 + bytes / 31);
    if (number > 0) {
      EXPECT_LT(detail::slab_classes::size(number - 1), bytes);
    }
    EXPECT_EQ(detail::slab_classes::size(number) % 16, 0U);
  }
}

TEST(SlabClasses, SayWithoutADivisionWhichSlotABlockIs) {
  for (unsigned shift = detail::SlabLayout<lanes::Platform>::min_shift; shift <= 24; ++shift)
    for (unsigned number = 0; number <= detail::slab_classes::of(std::uint32_t{1} << (shift - 1)); ++number) {
      const detail::SlabClass size =
          detail::SlabClass::of(detail::slab_classes::size(number), std::uint32_t{1} << shift);
      for (std::uint32_t slot = 0; slot < size.slots; ++slot)
        ASSERT_EQ(size.slot_at(slot * size.bytes), slot) << size.bytes << " bytes, slabs of 2^" << shift;
    }
}

TEST(SlabCount, GivesWarpsPlacesInTurnWithoutADivision) {
  for (std::uint32_t places = 1; places <= detail::SlabSet<lanes::Platform>::maximum; ++places) {
    const std::uint32_t inverse = detail::SlabCount::inverse_of(places);
    const std::uint32_t last = ~0U / places;
    for (std::uint32_t number = 0; number < 2 * places; ++number) {
      ASSERT_EQ(detail::SlabCount::place(number, inverse, places), number % places)
          << number << " of " << places;
      ASSERT_EQ(detail::SlabCount::place(last - number, inverse, places), (last - number) % places) << places;
    }
  }
}

TEST(SlabCount, GivesAPlaceWhateverItsInverse) {
  for (std::uint32_t i = 0; i < 1'000'000; ++i) {
    const std::uint32_t places = 1 + lanes::bits::mix(i) % detail::SlabSet<lanes::Platform>::maximum;
    ASSERT_LT(
        detail::SlabCount::place(lanes::bits::mix(i + 1), i % 7 == 0 ? 0 : lanes::bits::mix(i + 2), places),
        places);
  }
}

TEST(SlabWalk, MetadataAreSmall) {
  // Below some 2 GiB the tables of classes weigh more: 1.3 % of 1 GiB.
  for (const std::size_t gib : {8, 64}) {
    const std::size_t pool = gib << 30;
    EXPECT_LE(detail::SlabLayout<lanes::Platform>(pool).bytes(), pool / 100) << gib << " GiB";
  }
  const SlabWalk heap(SlabWalk::Exec(), {.bytes = std::size_t{32} << 20});
  EXPECT_EQ(heap.statistics(SlabWalk::Exec()).metadata,
            detail::SlabLayout<lanes::Platform>(std::size_t{32} << 20).bytes())
      << "that is what a heap has";
}

TEST(SlabWalk, RefusesAPoolThatIsTooSmall) {
  EXPECT_THROW(SlabWalk(SlabWalk::Exec(), {.bytes = 1000}), UsageError);
}

}  // namespace
}  // namespace haloheap::allocators
