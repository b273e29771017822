// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/coalescing/header_chain.hpp>
#include <haloheap/allocators/coalescing/superblock_counter.hpp>
#include <haloheap/allocators/coalescing/superblock_table.hpp>
#include <haloheap/allocators/random_walk/full_sign.hpp>
#include <haloheap/allocators/random_walk/page_flags.hpp>
#include <haloheap/unit/allocators/plain_heaps.hpp>
#include <haloheap/unit/allocators/protocol_check.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sys/mman.h>
#include <unistd.h>

namespace haloheap::allocators {
namespace {

using namespace emulation;

// --- SlabSet: whoever is in it when all calls have returned can be found
// ------------------------------------

constexpr std::uint32_t elsewhere = 1;  // where a search begins: not at the word that has the members

template <class Platform>
Trial insert_against_remove() {
  const auto set = std::make_shared<detail::SlabSet<Platform>>();
  set->fill(1);
  return {{[=] { set->remove(0); }, [=] { set->insert(1); }, [=] { set->find(elsewhere); }},
          [=] { return set->find(elsewhere) == 1 ? "" : "a member cannot be found"; }};
}

TEST(ProtocolCheck, SlabSetLosesNoMember) {
  expect_right(insert_against_remove<EmulatedPlatform>, {.preemptions = 4});
  expect_caught("a member cannot be found", insert_against_remove<WithAtomics<NoSecondLook>>);
  expect_caught("a member cannot be found", insert_against_remove<WithAtomics<TornOr>>);
}

template <class Platform>
Trial remove_by_many() {
  const auto set = std::make_shared<detail::SlabSet<Platform>>();
  set->fill(2);
  const auto got = std::make_shared<int>(0);
  const auto take = [=] {
    if (set->remove(1)) ++*got;
  };
  return {{take, take, [=] { set->find(elsewhere); }}, [=] {
            if (*got != 1) return "one member was removed by several";
            return set->find(elsewhere) == 0 ? "" : "the other member is lost";
          }};
}

TEST(ProtocolCheck, OneOfManyRemovesAMember) {
  expect_right(remove_by_many<EmulatedPlatform>, {.preemptions = 4});
  expect_caught("removed by several", remove_by_many<WithAtomics<TornAnd>>);
}

// --- SlabReservations: two slots a slab
// ---------------------------------------------------------------------

constexpr unsigned pair_class = detail::slab_classes::steps * 7 - 1;  // 32768 bytes: two a slab
static_assert(detail::slab_classes::steps == 32);

template <class Platform>
struct Reserving {
  PlainSlabWalk<Platform> heap;
  detail::SlabReservations<Platform> reservations{heap.tables()};
  int held = 0, refused = 0;

  explicit Reserving(unsigned slabs) : heap(std::size_t{slabs} << 16) {}

  /// The slab of one slot; none if there was none.
  unsigned take(unsigned size_class) {
    const detail::Reservation got = reservations.search(size_class, 1);
    if (got.free <= 0) return ++refused, detail::SlabSet<Platform>::none;
    ++held;
    const unsigned number = detail::SlabState::number(heap.tables().states[got.slab].word);
    if (number != size_class) Fibers::running().fail("a slot is promised in a slab of another class");
    return got.slab;
  }
  void give(unsigned slab) {
    if (slab == detail::SlabSet<Platform>::none) return;
    --held;
    reservations.give_back(slab, 1);
  }
  void use(unsigned size_class) { give(take(size_class)); }
};

template <class Platform, std::size_t lanes>
Trial take_all() {
  const auto state = std::make_shared<Reserving<Platform>>(1);
  return {std::vector<Fibers::Program>(lanes, [=] { state->take(pair_class); }), [=]() -> std::string {
            if (state->held > 2) return "a slot is promised twice";
            return state->held < 2 ? "a slot is lost" : "";
          }};
}

TEST(ProtocolCheck, ReservationsPromiseEachSlotOnce) {
  expect_right(take_all<EmulatedPlatform, 2>, {.preemptions = 4});
  expect_right(take_all<EmulatedPlatform, 3>, {.preemptions = 2});
  expect_caught("a slot is promised twice", take_all<WithAtomics<TornAdd>, 3>);
}

/// Lanes of two classes use the only slab in turn, which has been one class's before.
template <class Platform, int lanes_of_other>
Trial steal_the_slab() {
  const auto state = std::make_shared<Reserving<Platform>>(1);
  state->use(pair_class);
  Trial trial{{[=] { state->use(pair_class); }, [=] { state->use(pair_class - 1); }},
              [=] { return state->heap.fault(); }};
  if (lanes_of_other > 1) trial.lanes.push_back([=] { state->use(pair_class - 1); });
  return trial;
}

TEST(ProtocolCheck, SlabsThatChangeTheirClassAreNotLost) {
  expect_right(steal_the_slab<EmulatedPlatform, 1>, {.preemptions = 3});
  expect_right(steal_the_slab<EmulatedPlatform, 2>, {.preemptions = 2});
  expect_caught("slab 0 has lost slots", steal_the_slab<WithAtomics<TornCompare>, 1>, {.preemptions = 2});
  expect_caught("slab 0 cannot be found", steal_the_slab<WithAtomics<NoSecondLook>, 2>, {.preemptions = 2});
}

/// A lane takes the last slot, so that the slab is not to be found, while another one gives one back.
template <class Platform>
Trial leave_while_others_give_back() {
  const auto state = std::make_shared<Reserving<Platform>>(1);
  const unsigned slab = state->take(pair_class);
  return {{[=] { state->use(pair_class); }, [=] { state->give(slab); }}, [=] { return state->heap.fault(); }};
}

TEST(ProtocolCheck, SlabsWithFreeSlotsCanBeFound) {
  expect_right(leave_while_others_give_back<EmulatedPlatform>, {.preemptions = 4});
  expect_caught("slab 0 cannot be found", leave_while_others_give_back<WithAtomics<NoSecondLook>>);
}

template <class Platform>
Trial grow_together() {
  const auto state = std::make_shared<Reserving<Platform>>(2);
  const auto use = [=] { state->use(pair_class); };
  return {{use, use}, [=] { return state->heap.fault(); }};
}

/// The same without what makes lanes of a class wait for the one that searches.
template <class Platform>
Trial add_together() {
  const auto state = std::make_shared<Reserving<Platform>>(2);
  const auto add = [=] {
    const detail::Reservation got =
        detail::SlabSupply<Platform>(state->heap.tables()).add_slabs(pair_class, 1, 1);
    if (got.free > 0) state->reservations.give_back(got.slab, 1);
  };
  return {{add, add}, [=] { return state->heap.fault(); }};
}

TEST(ProtocolCheck, SlabsThatSeveralAddedAreThereForOthers) {
  expect_right(grow_together<EmulatedPlatform>, {.preemptions = 3});
  expect_caught("slab 0 has lost slots", grow_together<WithAtomics<TornAdd>>, {.preemptions = 3});
  expect_right(add_together<EmulatedPlatform>, {.preemptions = 2});
  expect_caught("is empty and not to be had", add_together<WithAtomics<TornOr>>, {.preemptions = 2});
  expect_caught("has a class that there is not", add_together<WithAtomics<TornAnd>>, {.preemptions = 2});
}

// --- Claim and free of slots
// --------------------------------------------------------------------------------

template <class Platform, unsigned slabs = 1>
struct Claiming {
  PlainSlabWalk<Platform> heap{std::size_t{slabs} << 16};
  std::vector<void*> blocks;

  void* allocate(std::size_t bytes = 30'000) {
    void* const block = heap.handle().allocate(bytes);
    if (block != nullptr && std::find(blocks.begin(), blocks.end(), block) != blocks.end())
      Fibers::running().fail("two lanes have the same slot");
    if (block != nullptr) blocks.push_back(block);
    return block;
  }
  void free(void* block) {
    blocks.erase(std::remove(blocks.begin(), blocks.end(), block), blocks.end());
    heap.handle().deallocate(block);
  }
};

/// The first two slots of four are free, and not where lanes look first.
template <class Platform>
Trial claim_together() {
  const auto state = std::make_shared<Claiming<Platform>>();
  const auto take = [=] { state->allocate(16'000); };
  for (int i = 0; i < 4; ++i) take();
  for (int i = 0; i < 2; ++i) state->free(state->blocks.front());
  return {{take, take}, [=] { return state->heap.fault(); }};
}

template <class Platform>
Trial claim_and_free() {
  const auto state = std::make_shared<Claiming<Platform>>();
  const auto use = [=] { state->free(state->allocate()); };
  return {{use, [=] { state->allocate(); }}, [=] { return state->heap.fault(); }};
}

TEST(ProtocolCheck, LanesNeverHaveTheSameSlot) {
  expect_right(claim_and_free<EmulatedPlatform>, {.preemptions = 3});
  expect_right(claim_together<EmulatedPlatform>, {.preemptions = 4});
  expect_caught("two lanes have the same slot", claim_together<WithAtomics<TornOr>>);
}

/// Two lanes take slots in the hope that they are there, where one of four is taken.
template <class Platform>
Trial take_in_hope() {
  const auto state = std::make_shared<Claiming<Platform>>();
  state->allocate(16'000);
  const auto use = [=] { state->free(state->allocate(16'000)); };
  return {{use, use}, [=] { return state->heap.fault(); }};
}

TEST(ProtocolCheck, SlotsTakenInHopeAreCounted) {
  expect_right(take_in_hope<EmulatedPlatform>, {.preemptions = 3});
  expect_caught("slab 0 has lost slots", take_in_hope<WithAtomics<TornAdd>>, {.preemptions = 3});
}

TEST(ProtocolCheck, NobodyHopesForSlotsWhileTheyAreScarce) {
  Claiming<EmulatedPlatform> state;
  const detail::SlabReservations<EmulatedPlatform> reservations(state.heap.tables());
  const auto scarce = [&] { return detail::SlabHome::says_scarce(reservations.hint(0)); };
  const auto take = [&] { return state.heap.handle().allocate(16); };
  std::vector<void*> blocks(4096);
  const auto free_some = [&](std::size_t count) {
    for (; count > 0; --count, blocks.pop_back()) state.heap.handle().deallocate(blocks.back());
  };
  for (void*& block : blocks) block = take();
  EXPECT_EQ(take(), nullptr);
  EXPECT_TRUE(scarce()) << "the heap is full";
  free_some(100);
  EXPECT_NE(take(), nullptr);
  EXPECT_TRUE(scarce()) << "there are few";
  free_some(300);
  EXPECT_NE(take(), nullptr);
  EXPECT_FALSE(scarce()) << "there is plenty";
  EXPECT_EQ(state.heap.fault(), "");
}

/// Lanes want slabs in a row, of which there are enough for one of them, and another one wants a slab.
/// @tparam frees with a planted bug nobody may: what another lane has given back already is not a run
template <class Platform, int lanes, bool frees = true>
Trial claim_runs() {
  const auto state = std::make_shared<Claiming<Platform, 3>>();
  const auto owner = std::make_shared<std::array<int, 3>>();
  const auto mark = [=](void* block, std::size_t slabs, int from, int to) {
    if (block == nullptr) return;
    const auto first = static_cast<std::size_t>(static_cast<std::byte*>(block) - state->heap.pool()) >> 16;
    for (std::size_t slab = first; slab < first + slabs; ++slab)
      if (std::exchange(owner->at(slab), to) != from) Fibers::running().fail("two lanes have the same slab");
  };
  const auto use = [=](std::size_t slabs, int lane) {
    void* const block = state->heap.handle().allocate(slabs << 16);
    mark(block, slabs, 0, lane);
    Platform::Atomics::load(owner->data());  // others may run
    if (!frees) return;
    mark(block, slabs, lane, 0);
    state->heap.handle().deallocate(block);
  };
  Trial trial{{[=] { use(2, 1); }, [=] { use(2, 2); }}, [=] {
                const std::string fault = state->heap.fault();
                return fault.empty() && frees && state->heap.in_use() != 0 ? "a run is lost" : fault;
              }};
  if (lanes > 2) trial.lanes.push_back([=] { use(1, 3); });
  return trial;
}

TEST(ProtocolCheck, RunsOfSlabsHaveOneOwner) {
  expect_right(claim_runs<EmulatedPlatform, 2>, {.preemptions = 2});
  expect_right(claim_runs<EmulatedPlatform, 3>, {.preemptions = 1});
  expect_caught("two lanes have the same slab", claim_runs<WithAtomics<TornAnd>, 2, false>,
                {.preemptions = 2});
}

/// A lane allocates a run while another one looks whether a slab is one.
template <class Platform>
Trial look_at_a_run() {
  const auto heap = std::make_shared<PlainSlabWalk<Platform>>(std::size_t{3} << 16);
  return {{[=] { heap->handle().allocate(std::size_t{2} << 16); },
           [=] {
             const auto& tables = heap->tables();
             if (Platform::Atomics::load(&tables.slab_class(0, 0)) != detail::SlabState::run_class) return;
             if (Platform::Atomics::load(tables.slab_words(0)) != 2)
               Fibers::running().fail("a run is seen before its length");
           }},
          [=] { return heap->fault(); }};
}

TEST(ProtocolCheck, WhoSeesARunSeesItsLength) {
  expect_right(look_at_a_run<EmulatedPlatform>, {.preemptions = 2});
}

/// Two lanes give the same run back.
template <class Platform>
Trial free_a_run_twice() {
  const auto heap = std::make_shared<PlainSlabWalk<Platform>>(std::size_t{3} << 16);
  void* const block = heap->handle().allocate(std::size_t{2} << 16);
  const auto free = [=] { heap->handle().deallocate(block); };
  return {{free, free}, [=] {
            const std::string fault = heap->fault();
            return fault.empty() && (heap->in_use() != 0 || heap->tables().shared->used != 0)
                       ? "slabs are counted wrongly"
                       : fault;
          }};
}

TEST(ProtocolCheck, ARunThatIsGivenBackTwiceIsFreedOnce) {
  expect_right(free_a_run_twice<EmulatedPlatform>, {.preemptions = 3});
  expect_caught("slab", free_a_run_twice<WithAtomics<TornExchange>>, {.preemptions = 3});
}

/// The sizes of the classes, with nothing behind them that may be read.
class GuardedSizes {
 public:
  GuardedSizes(const detail::SlabClass* sizes, std::size_t count)
      : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        readable_((count * sizeof(detail::SlabClass) + page_ - 1) / page_ * page_),
        bytes_(readable_ + (std::size_t{1} << 16) * sizeof(detail::SlabClass)),
        memory_(static_cast<std::byte*>(
            mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {
    EXPECT_EQ(mprotect(memory_, readable_, PROT_READ | PROT_WRITE), 0);
    sizes_ = reinterpret_cast<detail::SlabClass*>(memory_ + readable_) - count;
    std::copy_n(sizes, count, sizes_);
  }
  ~GuardedSizes() { munmap(memory_, bytes_); }
  GuardedSizes(const GuardedSizes&) = delete;
  GuardedSizes& operator=(const GuardedSizes&) = delete;
  detail::SlabClass* sizes() const { return sizes_; }

 private:
  std::size_t page_, readable_, bytes_;
  std::byte* memory_;
  detail::SlabClass* sizes_;
};

TEST(ProtocolCheck, ADoubleFreeReadsNothingBeyondTheMetadata) {
  const PlainSlabWalk<EmulatedPlatform> heap(std::size_t{4} << 16);
  detail::SlabTables<EmulatedPlatform> tables = heap.tables();
  const GuardedSizes guarded(tables.sizes, tables.class_count);
  tables.sizes = guarded.sizes();
  const detail::SlabWalkHandle<EmulatedPlatform> handle(tables);
  void* const large = handle.allocate(std::size_t{2} << 16);
  void* const small = handle.allocate(100);
  handle.deallocate(large);
  handle.deallocate(large);
  handle.deallocate(small);
  handle.deallocate(small);                                 // its slab has a class, and its slot is free
  void* const all = handle.allocate(std::size_t{4} << 16);  // takes the slab from its class
  ASSERT_NE(all, nullptr);
  handle.deallocate(all);
  handle.deallocate(small);
  EXPECT_EQ(heap.fault(), "");
  EXPECT_EQ(heap.in_use(), 0U);
  EXPECT_EQ(tables.shared->used, 0U);
}

/// A lane frees its slot while another one, which is promised that slot, looks for it.
template <class Platform>
Trial promise_of_a_freed_slot() {
  const auto heap = std::make_shared<PlainSlabWalk<Platform>>(std::size_t{1} << 16);
  Trial trial;
  trial.lanes.push_back([=] {
    heap->handle().allocate(30'000);
    heap->handle().deallocate(heap->handle().allocate(30'000));
  });
  trial.lanes.push_back([=] {
    const unsigned size_class = detail::slab_classes::of(30'000);
    if (detail::SlabReservations<Platform>(heap->tables()).search(size_class, 1).free <= 0) return;
    if ((heap->tables().slab_words(0)[0] & 3) == 3)
      Fibers::running().fail("a slot is promised before it is free");
  });
  trial.verdict = [] { return std::string(); };
  return trial;
}

TEST(ProtocolCheck, AReservationMeansThatThereIsASlot) {
  expect_right(promise_of_a_freed_slot<EmulatedPlatform>, {.preemptions = 3});
  expect_caught("a slot is promised before it is free", promise_of_a_freed_slot<WithAtomics<LateClear>>);
}

// --- Superblocks: who gives back the last part, and nobody else, gives back all
// ------------------------------

template <class Platform>
Trial count_down() {
  const auto counter = std::make_shared<detail::SuperblockCounter<Platform>>();
  const auto calls = std::make_shared<int>(0), got = std::make_shared<int>(0);
  counter->start(3);
  const auto release = [=] {
    ++*calls;
    if (!counter->release()) return;
    ++*got;
    if (*calls < 3) Fibers::running().fail("a superblock is given back too early");
  };
  return {{release, release, release}, [=] { return *got == 1 ? "" : "not given back once"; }};
}

TEST(ProtocolCheck, OneGivesASuperblockBack) {
  expect_right(count_down<EmulatedPlatform>, {.preemptions = 4});
  expect_caught("not given back once", count_down<WithAtomics<TornAdd>>);
}

/// Segments with headers of 8 bytes, or with headers of 2, 2 and 4 bytes of which two share a word.
template <class Platform, bool small>
Trial release_chain() {
  struct alignas(16) Superblock {
    std::byte bytes[64];
  };
  using Chain = detail::HeaderChain<Platform>;
  const auto superblock = std::make_shared<Superblock>();
  const auto calls = std::make_shared<int>(0), got = std::make_shared<int>(0);
  const std::array<std::size_t, 3> places =
      small ? std::array<std::size_t, 3>{10, 14, 20} : std::array<std::size_t, 3>{8, 24, 40};
  Trial trial;
  for (std::size_t i = 0; i < 3; ++i) {
    std::byte* const payload = superblock->bytes + places[i];
    Chain::start(payload, i == 0 ? places[0] : places[i] - places[i - 1], i == 0, i == 2);
    trial.lanes.push_back([=] {
      ++*calls;
      std::byte* const back = Chain::release(payload);
      if (back == nullptr) return;
      ++*got;
      if (back != superblock->bytes) Fibers::running().fail("another superblock is given back");
      if (*calls < 3) Fibers::running().fail("a superblock is given back too early");
    });
  }
  trial.verdict = [=] { return *got == 1 ? "" : "not given back once"; };
  return trial;
}

TEST(ProtocolCheck, TheLastOfAChainGivesItBack) {
  expect_right(release_chain<EmulatedPlatform, false>, {.preemptions = 4});
  expect_right(release_chain<EmulatedPlatform, true>, {.preemptions = 4});
  expect_caught("not given back once", release_chain<WithAtomics<TornOr>, false>);
  expect_caught("not given back once", release_chain<WithAtomics<TornOr>, true>);
}

template <class Platform>
Trial one_place_for_two() {
  const auto words = std::make_shared<std::uint64_t>(0);
  const auto got = std::make_shared<int>(0);
  const auto insert = [=](std::uintptr_t part) {
    const detail::SuperblockTable<Platform> table(words.get(), 1);
    auto* const address = reinterpret_cast<std::byte*>(part);
    if (!table.insert(address, 48)) return;
    ++*got;
    if (table.remove(address) != 48) Fibers::running().fail("a part is not found");
  };
  return {{[=] { insert(160); }, [=] { insert(320); }},
          [=] { return *got > 0 && *words == 0 ? "" : "a place is lost"; }};
}

TEST(ProtocolCheck, PartsAreFound) {
  expect_right(one_place_for_two<EmulatedPlatform>, {.preemptions = 3});
  expect_caught("a part is not found", one_place_for_two<WithAtomics<TornCompare>>);
}

// --- The sign of a full heap of pages
// -----------------------------------------------------------------------

/// A lane looks for the only page while another one gives it back; `late`: after it has said so.
template <bool late>
Trial look_while_others_give_back() {
  struct State {
    std::uint64_t sign = 0;
    std::uint32_t used = 1;
  };
  const auto state = std::make_shared<State>();
  const detail::FullSign<EmulatedPlatform> sign(&state->sign);
  const detail::PageFlags<EmulatedPlatform> pages{&state->used, 1};
  const auto look = [=, keep = state] {
    const auto version = sign.begin();
    const bool found = pages.take(0);
    sign.end(version, found ? 0 : 1);
    if (found) pages.release(0), sign.given_back();
  };
  const auto give_back = [=, keep = state] {
    if (late) sign.given_back();
    pages.release(0);
    if (!late) sign.given_back();
  };
  return {{look, give_back, look},
          [=, keep = state] { return sign.is_set(1) ? "a free page is not to be had" : ""; }};
}

TEST(ProtocolCheck, AHeapWithFreePagesIsNotCalledFull) {
  expect_right(look_while_others_give_back<false>, {.preemptions = 3});
  expect_caught("a free page is not to be had", look_while_others_give_back<true>);
}

}  // namespace
}  // namespace haloheap::allocators
