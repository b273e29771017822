// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The four allocators of [Blach2022], over a heap that checks what they do.
// Each test is named after what went wrong, or could, in public code for it.
#include <haloheap/allocators/coalescing/block_header_handle.hpp>
#include <haloheap/allocators/coalescing/block_table_handle.hpp>
#include <haloheap/allocators/coalescing/warp_header_handle.hpp>
#include <haloheap/allocators/coalescing/warp_table_handle.hpp>
#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/unit/allocators/blocks.hpp>
#include <haloheap/unit/allocators/checked_heap.hpp>

#include <algorithm>
#include <bit>
#include <vector>

namespace haloheap::allocators {
namespace {

using TeamPolicy = Kokkos::TeamPolicy<Exec>;
using Member = TeamPolicy::member_type;
using Under = CheckedHeapHandle<lanes::Platform>;
using Source = detail::Superblocks<lanes::Platform, Under>;
using Table = detail::SuperblockTable<lanes::Platform>;

/// Ways to call: one for all plug-ins. A team is given to those that do not need one as well.
struct Hb {
  using Handle = detail::BlockHeaderHandle<lanes::Platform, Under>;
  static constexpr const char* name = "block_header";
  static constexpr bool table = false;
  static Handle make(const Source& source, const Table&) { return Handle(source); }
  static std::size_t apart(std::size_t bytes) { return (bytes + 8 + 15) / 16 * 16; }
  template <class... Alike>
  KOKKOS_FUNCTION static void* ask(const Handle& heap, const Member& member, std::size_t bytes,
                                   Alike... alike) {
    return heap.allocate(member, bytes, alike...);
  }
};
struct Nb : Hb {
  using Handle = detail::BlockTableHandle<lanes::Platform, Under>;
  static constexpr const char* name = "block_table";
  static constexpr bool table = true;
  static Handle make(const Source& source, const Table& table) { return Handle({source, table}); }
  static std::size_t apart(std::size_t bytes) { return (bytes + 15) / 16 * 16; }
  template <class... Alike>
  KOKKOS_FUNCTION static void* ask(const Handle& heap, const Member& member, std::size_t bytes,
                                   Alike... alike) {
    return heap.allocate(member, bytes, alike...);
  }
};
struct Nw : Nb {
  using Handle = detail::WarpTableHandle<lanes::Platform, Under>;
  static constexpr const char* name = "warp_table";
  static Handle make(const Source& source, const Table& table) { return Handle({source, table}); }
  template <class... Alike>
  KOKKOS_FUNCTION static void* ask(const Handle& heap, const Member&, std::size_t bytes, Alike... alike) {
    return heap.allocate(bytes, alike...);
  }
};
struct Hw {
  using Handle = detail::WarpHeaderHandle<lanes::Platform, Under>;
  static constexpr const char* name = "warp_header";
  static constexpr bool table = false;
  static Handle make(const Source& source, const Table&) { return {source, 16}; }
  static std::size_t apart(std::size_t bytes) {
    return bytes >= 16 ? (bytes + 8 + 15) / 16 * 16 : bytes < 3 ? 4 : bytes <= 4 ? 8 : bytes <= 12 ? 16 : 24;
  }
  template <class... Alike>
  KOKKOS_FUNCTION static void* ask(const Handle& heap, const Member&, std::size_t bytes, Alike...) {
    return heap.allocate(bytes);
  }
};

/// Bytes that thread i asks for: from a list, or all the same.
struct Wishes {
  enum Kind { alike, mixed, huge } kind;
  std::size_t bytes = 0;
  KOKKOS_FUNCTION std::size_t operator()(unsigned i) const {
    constexpr std::size_t some[] = {1, 100, 16, 2, 0, 12, 333, 15, 4, 8, 24, 7, 3, 1000, 17, 9};
    if (kind == huge) return i % 2 == 0 ? bytes : 40;
    return kind == alike ? bytes : some[lanes::bits::mix(i) % 16];
  }
};

/// What an array of so many bytes can need, and 16 from there on.
KOKKOS_FUNCTION std::size_t needed_alignment(std::size_t bytes) {
  return bytes >= 16 ? 16 : bytes == 0 ? 1 : bytes & ~(bytes - 1);
}

template <class Plugin, bool is_alike = false>
struct Ask {
  typename Plugin::Handle heap;
  Wishes wishes;
  Blocks blocks;
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const auto i = static_cast<unsigned>(member.league_rank() * member.team_size() + member.team_rank());
    const std::size_t bytes = wishes(i);
    void* data = nullptr;
    if constexpr (is_alike)
      data = Plugin::ask(heap, member, bytes, detail::all_alike);
    else
      data = Plugin::ask(heap, member, bytes);
    blocks(i) = {static_cast<unsigned char*>(data), bytes};
    for (std::size_t b = 0; data != nullptr && b < bytes; ++b) blocks(i).data[b] = stamp(i, b);
  }
};

struct CountMisaligned {
  Blocks blocks;
  KOKKOS_FUNCTION void operator()(unsigned i, unsigned& wrong) const {
    if (reinterpret_cast<std::uintptr_t>(blocks(i).data) % needed_alignment(blocks(i).bytes) != 0) ++wrong;
  }
};

/// The threads of a team ask together, and each frees what another one of the team has, at once.
template <class Plugin>
struct AskAndFreeAtOnce {
  typename Plugin::Handle heap;
  Wishes wishes;
  Blocks blocks;
  unsigned rounds;
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const auto size = static_cast<unsigned>(member.team_size()),
               rank = static_cast<unsigned>(member.team_rank());
    const unsigned first = static_cast<unsigned>(member.league_rank()) * size;
    for (unsigned round = 0; round < rounds; ++round) {
      blocks(first + rank).data =
          static_cast<unsigned char*>(Plugin::ask(heap, member, wishes(first + rank + round)));
      member.team_barrier();
      unsigned char* const other = blocks(first + (rank * 7 + round) % size).data;
      // Divergent on purpose.
      if (lanes::bits::mix(rank + round) % 2 == 0)
        heap.deallocate(other);
      else
        heap.deallocate(other);
      member.team_barrier();
    }
  }
};

template <class Plugin>
class CoalescingBugs : public ::testing::Test {
 protected:
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<unsigned>>;
  static constexpr unsigned threads = on_host ? 2048 : 64 * 1024;

  explicit CoalescingBugs(std::uint32_t units = on_host ? 2U << 20 : 8U << 20,
                          std::uint32_t places = 256 * 1024)
      : under_(units),
        words_("haloheap::test::table", places),
        failures_("haloheap::test::failures"),
        largest_(std::size_t{units} * 16 - detail::superblocks::front) {}

  typename Plugin::Handle heap() const {
    return Plugin::make(Source(under_.handle(), failures_.data(), largest_),
                        Table(words_.data(), static_cast<std::uint32_t>(words_.extent(0))));
  }
  template <class Functor>
  static int team_size(const Functor& functor, int wanted) {
    return std::bit_floor(static_cast<unsigned>(
        std::min(wanted, TeamPolicy(1, 1).team_size_max(functor, Kokkos::ParallelForTag()))));
  }
  template <bool is_alike = false>
  Blocks ask(Wishes wishes, unsigned count = threads, int wanted = 64) {
    const Ask<Plugin, is_alike> ask{heap(), wishes, Blocks("haloheap::test::blocks", count)};
    const int team = team_size(ask, wanted);
    Kokkos::parallel_for("haloheap::test::ask", TeamPolicy(exec_, static_cast<int>(count) / team, team), ask);
    return ask.blocks;
  }
  void free(const Blocks& blocks, unsigned every = 1, unsigned which = 0) {
    Kokkos::parallel_for("haloheap::test::free", Policy(exec_, 0, static_cast<unsigned>(blocks.extent(0))),
                         Free<typename Plugin::Handle>{heap(), blocks, every, which});
  }
  unsigned check(const Blocks& blocks) {
    unsigned wrong = 0, there = 0;
    const Policy all(exec_, 0, static_cast<unsigned>(blocks.extent(0)));
    Kokkos::parallel_reduce("haloheap::test::check", all, Check{blocks, 1}, wrong, there);
    EXPECT_EQ(wrong, 0U) << "overwritten";
    Kokkos::parallel_reduce("haloheap::test::misaligned", all, CountMisaligned{blocks}, wrong);
    EXPECT_EQ(wrong, 0U) << "misaligned";
    return there;
  }
  std::uint64_t failures() const {
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), failures_)();
  }
  void expect_all_given_back() const {
    EXPECT_EQ(under_.metadata().live, 0U) << "superblocks are lost";
    EXPECT_EQ(under_.metadata().errors, 0U) << "what is no superblock was given back";
  }

  Exec exec_;
  CheckedHeap<lanes::Platform> under_;
  Kokkos::View<Table::Word*, Exec> words_;
  Kokkos::View<std::uint64_t, Exec> failures_;
  std::size_t largest_;
};

using All = ::testing::Types<Hb, Nb, Nw, Hw>;
using WithTable = ::testing::Types<Nb, Nw>;
TYPED_TEST_SUITE(CoalescingBugs, All, Names);

TYPED_TEST(CoalescingBugs, OffsetsAreSumsOfTheOthersSizes) {
  const auto blocks = this->ask({Wishes::mixed});
  EXPECT_EQ(this->check(blocks), this->threads);
  this->free(blocks);
  this->expect_all_given_back();
}

TYPED_TEST(CoalescingBugs, TheSuperblockIsGivenBackWhereItBegan) {
  for (const std::size_t bytes : {0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 15, 16, 17, 24, 31, 32, 100, 128}) {
    const auto blocks = this->ask({Wishes::alike, bytes}, 512);
    EXPECT_EQ(this->check(blocks), 512U) << bytes;
    this->free(blocks);
    this->expect_all_given_back();
  }
}

TYPED_TEST(CoalescingBugs, TheCounterStartsAtTheNumberOfOwners) {
  for (const int team : {1, 2, 32, 128, 256}) {
    const auto blocks = this->ask({Wishes::alike, 40}, 1024, team);
    EXPECT_EQ(this->check(blocks), 1024U);
    EXPECT_GT(this->under_.metadata().live, 0U);
    this->free(blocks);
    this->expect_all_given_back();
  }
}

TYPED_TEST(CoalescingBugs, WhoFreesAtTheSameTimeLosesNoSuperblock) {
  for (const Wishes wishes : {Wishes{Wishes::mixed}, Wishes{Wishes::alike, 2}, Wishes{Wishes::alike, 12},
                              Wishes{Wishes::alike, 16}}) {
    const AskAndFreeAtOnce<TypeParam> kernel{this->heap(), wishes,
                                             Blocks("haloheap::test::blocks", on_host ? 128 : 4096), 50};
    const int team = this->team_size(kernel, 64);
    Kokkos::parallel_for("haloheap::test::free_at_once",
                         TeamPolicy(this->exec_, static_cast<int>(kernel.blocks.extent(0)) / team, team),
                         kernel);
    this->expect_all_given_back();
  }
  EXPECT_EQ(this->failures(), 0U);
}

TYPED_TEST(CoalescingBugs, AnyKernelFreesAndInAnyOrder) {
  const auto blocks = this->ask({Wishes::mixed});
  for (const unsigned which : {1, 4, 0, 2, 3}) this->free(blocks, 5, which);
  EXPECT_EQ(this->check(blocks), 0U);
  this->expect_all_given_back();
}

TYPED_TEST(CoalescingBugs, OneLivePartKeepsTheSuperblock) {
  const auto blocks = this->ask({Wishes::alike, 48});
  for (unsigned which = 1; which < 32; ++which) this->free(blocks, 32, which);
  EXPECT_EQ(this->check(blocks), this->threads / 32) << "what comes back is overwritten";
  EXPECT_GT(this->under_.metadata().live, 0U);
  this->free(blocks);
  this->expect_all_given_back();
}

TYPED_TEST(CoalescingBugs, HugeRequestsDoNotOverflowTheSum) {
  // Alone, times the lanes of a warp, and cut to 32 bits.
  for (const std::size_t bytes : {~std::size_t{0}, ~std::size_t{0} - 8, ~std::size_t{0} / 32 + 1,
                                  std::size_t{1} << 32, (std::size_t{1} << 32) / 16}) {
    const std::uint64_t before = this->failures();
    const auto blocks = this->ask({Wishes::huge, bytes}, 256);
    EXPECT_EQ(this->check(blocks), 128U) << "neighbours of " << bytes << " get what they ask for";
    EXPECT_EQ(this->failures() - before, 128U);
    this->free(blocks);
    this->expect_all_given_back();
  }
}

/// 17.6 MB together, where teams or warps have so many threads.
TYPED_TEST(CoalescingBugs, ALargeGroupSharesASuperblockAsWell) {
  const auto blocks = this->ask({Wishes::alike, 1'100'000}, 16, 16);
  EXPECT_EQ(this->check(blocks), 16U);
  if (!on_host) {
    EXPECT_EQ(this->under_.metadata().live, 1U);
  }
  this->free(blocks);
  this->expect_all_given_back();
}

TYPED_TEST(CoalescingBugs, ALargeGroupThatIsAlikeDoesSo) {
  const auto blocks = this->template ask<true>({Wishes::alike, 1'100'000}, 16, 16);
  EXPECT_EQ(this->check(blocks), 16U);
  this->free(blocks);
  this->expect_all_given_back();
}

TYPED_TEST(CoalescingBugs, TheStaticArgumentSaysThatNobodyNeedsToAsk) {
  const auto blocks = this->template ask<true>({Wishes::alike, 52});
  EXPECT_EQ(this->check(blocks), this->threads);
  this->free(blocks);
  this->expect_all_given_back();
}

TYPED_TEST(CoalescingBugs, NeighboursAreAsCloseAsTheHeadersAllow) {
  if (on_host) GTEST_SKIP() << "threads of a host are no neighbours";
  for (const std::size_t bytes : {1, 2, 4, 8, 12, 16, 24, 100}) {
    const auto blocks =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), this->ask({Wishes::alike, bytes}, 64 * 100));
    unsigned close = 0;
    for (unsigned i = 0; i + 1 < blocks.extent(0); ++i)
      if (blocks(i).data + TypeParam::apart(bytes) == blocks(i + 1).data) ++close;
    EXPECT_GE(close, 31U * 200 * 9 / 10) << bytes;
  }
}

/// A heap with so little that most requests fail.
template <class Plugin>
class FullHeap : public CoalescingBugs<Plugin> {
 protected:
  FullHeap() : CoalescingBugs<Plugin>(200, 64) {}
};
TYPED_TEST_SUITE(FullHeap, All, Names);

TYPED_TEST(FullHeap, TheLeadersFailureIsEverybodysAndNobodyWaits) {
  const auto blocks = this->ask({Wishes::alike, 4000});
  const unsigned served = this->check(blocks);
  EXPECT_EQ(served, 0U);
  EXPECT_EQ(this->failures(), this->threads);
  this->expect_all_given_back();
}

TYPED_TEST(FullHeap, TheWholeOfAGroupOrNothing) {
  if (TypeParam::table) GTEST_SKIP() << "a part may also fail for want of a place in the table";
  const auto blocks = this->ask({Wishes::alike, 40}, 64 * 64);
  const unsigned served = this->check(blocks);
  EXPECT_EQ(this->failures(), 64 * 64 - served);
  EXPECT_GT(served, 0U);
  EXPECT_LT(served, 70U);
  EXPECT_EQ(served % (on_host ? 1 : 32), 0U);
  this->free(blocks);
  this->expect_all_given_back();
}

/// Enough memory, and a table of 64 places.
template <class Plugin>
class FullTable : public CoalescingBugs<Plugin> {
 protected:
  FullTable() : CoalescingBugs<Plugin>(4U << 20, 64) {}
};
TYPED_TEST_SUITE(FullTable, WithTable, Names);

TYPED_TEST(FullTable, GivesNothingAndLosesNothing) {
  for (int round = 0; round < 3; ++round) {
    const std::uint64_t before = this->failures();
    const auto blocks = this->ask({Wishes::alike, 20}, 4096);
    EXPECT_EQ(this->check(blocks), 64U) << "every place is used";
    EXPECT_EQ(this->failures() - before, 4096U - 64);
    this->free(blocks);
    this->expect_all_given_back();
  }
}

TYPED_TEST(FullTable, PlacesAreUsedAgainForever) {
  const AskAndFreeAtOnce<TypeParam> kernel{
      this->heap(), {Wishes::alike, 16}, Blocks("haloheap::test::blocks", 32), 2000};
  const int team = this->team_size(kernel, 32);
  Kokkos::parallel_for("haloheap::test::again", TeamPolicy(this->exec_, 32 / team, team), kernel);
  EXPECT_EQ(this->failures(), 0U) << "64000 entries have gone through 64 places";
  this->expect_all_given_back();
}

/// Each thread inserts parts of its own and takes them out again; all share a table.
struct UseTable {
  Table table;
  unsigned rounds;
  KOKKOS_FUNCTION void operator()(unsigned thread, unsigned& wrong) const {
    for (unsigned round = 0; round < rounds; ++round) {
      const auto* const part =
          reinterpret_cast<const std::byte*>((std::uintptr_t{thread} * rounds + round + 1) * 16);
      const std::size_t distance = (lanes::bits::mix(thread + round) % 1000 + 1) * 16;
      if (!table.insert(part, distance)) ++wrong;
      if (table.remove(part + 16 * rounds * 1'000'000UL) != Table::none) ++wrong;  // nobody's
      if (table.remove(part) != distance) ++wrong;
      if (table.remove(part) != Table::none) ++wrong;  // not twice
    }
  }
};

TEST(SuperblockTable, AddressAndDistanceAppearAndGoTogether) {
  const Kokkos::View<Table::Word*, Exec> words("haloheap::test::table", on_host ? 64 : 1 << 18);
  unsigned wrong = 0;
  Kokkos::parallel_reduce("haloheap::test::table",
                          Kokkos::RangePolicy<Exec, Kokkos::IndexType<unsigned>>(0, on_host ? 64 : 20'000),
                          UseTable{Table(words.data(), static_cast<std::uint32_t>(words.extent(0))), 300},
                          wrong);
  EXPECT_EQ(wrong, 0U);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), words);
  for (std::size_t i = 0; i < host.extent(0); ++i) EXPECT_EQ(host(i), 0U);
}

TEST(SuperblockTable, SaysNoToWhatDoesNotFit) {
  if (!on_host) GTEST_SKIP() << "calls it on the host";
  std::vector<Table::Word> words(64);
  const Table table(words.data(), 64);
  const auto at = [](std::uintptr_t address) { return reinterpret_cast<const std::byte*>(address); };
  EXPECT_FALSE(table.insert(at(std::uintptr_t{1} << 48), 16));
  EXPECT_FALSE(table.insert(at(1600), std::size_t{1} << 24));
  EXPECT_TRUE(table.insert(at((std::uintptr_t{1} << 48) - 16), (std::size_t{1} << 24) - 16));
  EXPECT_EQ(table.remove(at((std::uintptr_t{1} << 48) - 16)), (std::size_t{1} << 24) - 16);
  EXPECT_EQ(table.remove(nullptr), Table::none);
}

}  // namespace
}  // namespace haloheap::allocators
