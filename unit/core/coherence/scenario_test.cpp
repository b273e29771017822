// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Scenarios by the titles of the tests that other systems have for their containers, as far as they apply
// here. (Those of task runtimes: starpu_scenario_test.cpp.)
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/core/memory/adaptors/statistics.hpp>
#include <haloheap/core/memory/resources/backend_resource.hpp>
#include <haloheap/unit/core/coherence/functions.hpp>
#include <haloheap/unit/core/coherence/settings.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <type_traits>

namespace haloheap::coherence {
namespace {

struct Negative {
  KOKKOS_FUNCTION int operator()(ElementIndex i) const { return -static_cast<int>(i); }
};
struct Same {
  KOKKOS_FUNCTION int operator()(int x) const { return x; }
};
struct Cross {
  KOKKOS_FUNCTION int operator()(const TileWindow<int>& w) const {
    return w(0, 0) + w(-1, 0) + w(1, 0) + w(0, -1) + w(0, 1);
  }
};

ContextOptions options(int devices, bool peer = true) {
  return Setting{"region", devices, peer, true}.options();
}

constexpr Memory first = memory_of_device(0), second = memory_of_device(1);
constexpr std::uint64_t item = sizeof(int);

/// Of SkePU 3: tests/containers/lifecycle.
TEST(CoherenceLifecycle, InitializerList) {
  Context context(options(1));
  const Vector<int> v(context, "v", {4, 5, 6});
  EXPECT_EQ(std::vector<int>(v.begin(), v.end()), (std::vector<int>{4, 5, 6}));
}
TEST(CoherenceLifecycle, DefaultValue) {
  Context context(options(1));
  Vector<int> v(context, "v", 3);
  v.fill(7);
  Matrix<int> m(context, "m", 2, 2);
  m.fill(8);
  EXPECT_EQ(v[2] + m(1, 1), 15);
}
TEST(CoherenceLifecycle, CopiesAreForbiddenAndMovesAreNot) {
  static_assert(!std::is_copy_constructible_v<Vector<int>> && !std::is_copy_assignable_v<Matrix<int>>);
  static_assert(std::is_nothrow_move_constructible_v<Vector<int>> &&
                std::is_nothrow_move_assignable_v<Matrix<int>>);
}

/// Of CHAI: managed_array_tests. What asks for callbacks (UserCallback, CallBackConst*) is asked of
/// statistics.
TEST(CoherenceManagedArray, SetOnHost) {
  Context context(options(1));
  Vector<int> v(context, "v", 10);
  std::iota(v.begin(), v.end(), 0);
  map(all_devices, "haloheap::test::triple", v, Triple{}, v);
  EXPECT_EQ(v[9], 27);
}
TEST(CoherenceManagedArray, ConstOnlyReads) {
  Context context(options(1));
  Vector<int> v(context, "v", {1, 2, 3});
  (void)v.read(on_device(0));
  const Vector<int>& constant = v;
  EXPECT_EQ(constant[1], 2);
  (void)constant.read(on_device(0));
  EXPECT_EQ(v.statistics().between(host, first).count, 1U) << "reading on the host made nothing old";
}
// Slice.
TEST(CoherenceManagedArray, SliceMovesItsElementsOnly) {
  Context context(options(1));
  Vector<int> v(context, "v", {1, 2, 3, 4});
  map(all_devices, "haloheap::test::triple", v.slice(1, 3), Triple{}, v.slice(1, 3));
  EXPECT_EQ(v.statistics().to_devices(), 2 * item);
  EXPECT_EQ(contents(v), (std::vector<int>{1, 6, 9, 4}));
}
// ArrayOfSlices.
TEST(CoherenceManagedArray, ArrayOfSlices) {
  Context context(options(2));
  Vector<int> v(context, "v", {1, 2, 3, 4, 5, 6});
  const Slice<Vector<int>> slices[] = {v.slice(0, 2), v.slice(1, 4), v.slice(3, 6)};
  for (const auto& slice : slices) map(all_devices, "haloheap::test::triple", slice, Triple{}, slice);
  EXPECT_EQ(contents(v), (std::vector<int>{3, 18, 9, 36, 15, 18}));
}
TEST(CoherenceManagedArray, SliceOfSlice) {
  Context context(options(1));
  Vector<int> v(context, "v", 8);
  v.fill(1);
  const auto slice = v.slice(2, 7);
  const auto inner = slice.container.slice(slice.begin + 1, slice.end - 1);
  map(all_devices, "haloheap::test::triple", inner, Triple{}, inner);
  EXPECT_EQ(std::vector<int>(v.begin(), v.end()), (std::vector<int>{1, 1, 1, 3, 3, 3, 1, 1}));
}
TEST(CoherenceManagedArray, PickAndSetMoveOneElement) {
  ContextOptions one = options(1);
  one.policy = "paper";
  Context context(one);
  Vector<int> v(context, "v", {1, 2, 3, 4});
  map(all_devices, "haloheap::test::triple", v.slice(1, 3), Triple{}, v.slice(1, 3));
  EXPECT_EQ(v[0], 1);
  EXPECT_EQ(v.statistics().to_host(), 0U) << "the copy on the device does not have it";
  EXPECT_EQ(v[1], 6);
}
// Set: an element that the host writes is the only one that goes up again.
TEST(CoherenceManagedArray, SetMakesOneElementOld) {
  Context context(options(1));
  Vector<int> v(context, "v", {1, 2, 3, 4});
  (void)v.read(on_device(0));
  v[2] = 5;
  (void)v.read(on_device(0));
  EXPECT_EQ(v.statistics().to_devices(), (4 + 1) * item);
  EXPECT_EQ(v.statistics().to_host(), 0U);
}
// Reallocate.
TEST(CoherenceManagedArray, ReallocateOnHostKeepsTheFirst) {
  Context context(options(1));
  Vector<int> v(context, "v", {1, 2, 3, 4});
  v.resize(2);
  EXPECT_EQ(contents(v), (std::vector<int>{1, 2}));
  v.resize(3);
  v[2] = 7;
  EXPECT_EQ(contents(v), (std::vector<int>{1, 2, 7}));
  EXPECT_EQ(v.statistics().to_devices() + v.statistics().to_host(), 0U);
}
// External*Owned, External*Unowned: of memory that the caller chose, what is taken is given back, and no
// more.
TEST(CoherenceManagedArray, ExternalMemory) {
  const auto memory = std::make_shared<memory::StatisticsResource>(
      std::make_shared<memory::detail::BackendResource>(backend::MemoryKind::pageable));
  Context context(options(1));
  {
    Vector<int> v(context, "v", 100, memory);
    EXPECT_EQ(memory->snapshot().live_bytes, 100 * item);
    v.fill(2);
    map(all_devices, "haloheap::test::triple", v, Triple{}, v);
    EXPECT_EQ(v[99], 6);
  }
  EXPECT_EQ(memory->snapshot().live_bytes, 0U);
}
// data: for writing.
TEST(CoherenceManagedArray, DataMakesCopiesOld) {
  Context context(options(1));
  Vector<int> v(context, "v", {1, 2, 3, 4});
  (void)v.read(on_device(0));
  v.read_write().data()[1] = 9;
  (void)v.read(on_device(0));
  EXPECT_EQ(v.statistics().to_devices(), 8 * item) << "who asks for all is taken to write all";
}
// cdata.
TEST(CoherenceManagedArray, CdataOnlyReads) {
  Context context(options(1));
  Vector<int> v(context, "v", {1, 2, 3, 4});
  map(all_devices, "haloheap::test::triple", v, Triple{}, v);
  EXPECT_EQ(v.read().data()[3], 12);
  (void)v.read(on_device(0));
  EXPECT_EQ(v.statistics().to_devices(), 4 * item);
}
// Reset.
TEST(CoherenceManagedArray, ResetForgetsWhatADeviceWrote) {
  Context context(options(1));
  Vector<int> v(context, "v", {1, 2, 3});
  map(all_devices, "haloheap::test::triple", v, Triple{}, v);
  v.invalidate();
  EXPECT_EQ(contents(v), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(v.statistics().to_host(), 0U);
}
// Move*ToHostAgain.
TEST(CoherenceManagedArray, MoveToHostAgainMovesNothing) {
  Context context(options(1));
  Vector<int> v(context, "v", {1, 2, 3});
  map(all_devices, "haloheap::test::triple", v, Triple{}, v);
  for (int i = 0; i < 3; ++i) v.update_host();
  EXPECT_EQ(v.statistics().between(first, host), (Amount{1, 3 * item}));
}
// MoveInnerToHost, MoveInnerToDevice, MoveInner*Again.
TEST(CoherenceManagedArray, MoveInner) {
  Context context(options(1));
  std::vector<Vector<int>> arrays;
  for (const int value : {1, 2, 3}) arrays.emplace_back(context, "inner", 4).fill(value);
  for (int i = 0; i < 2; ++i)
    for (Vector<int>& inner : arrays) map(all_devices, "haloheap::test::triple", inner, Triple{}, inner);
  EXPECT_EQ(arrays[1][3], 18);
  EXPECT_EQ(context.statistics().to_devices(), 3 * 4 * item);
  EXPECT_EQ(context.statistics().to_host(), 4 * item) << "the other two stay where they are";
}
// Clone.
TEST(CoherenceManagedArray, CloneHasElementsOfItsOwn) {
  Context context(options(1));
  Vector<int> v(context, "v", {1, 2, 3}), clone(context, "clone", 3);
  map(all_devices, "haloheap::test::copy", clone, Same{}, v);
  map(all_devices, "haloheap::test::triple", v, Triple{}, v);
  EXPECT_EQ(clone.statistics().to_devices() + clone.statistics().to_host(), 0U);
  EXPECT_EQ(contents(clone), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(contents(v), (std::vector<int>{3, 6, 9}));
}
// SizeZero.
TEST(CoherenceManagedArray, SizeZero) {
  Context context(options(2));
  Vector<int> none(context, "none", 0);
  map(all_devices, "haloheap::test::triple", none, Triple{}, none);
  none.flush();
  EXPECT_TRUE(contents(none).empty());
  EXPECT_EQ(context.statistics().allocations.count, 0U);
}
// NoAllocation.
TEST(CoherenceManagedArray, NoAllocationWithoutAUseOnADevice) {
  Context context(options(2));
  Vector<int> v(context, "v", 100);
  v.fill(3);
  map(the_host, "haloheap::test::triple", v, Triple{}, v);
  EXPECT_EQ(v[50], 9);
  EXPECT_EQ(context.statistics().allocations.count, 0U);
}
TEST(CoherenceManagedArray, ReallocateOnDevice) {
  Context context(options(2));
  Vector<int> v(context, "v", {1, 2, 3, 4});
  map(all_devices, "haloheap::test::triple", v, Triple{}, v);
  v.resize(6);
  v[4] = v[5] = 5;
  map(all_devices, "haloheap::test::triple", v, Triple{}, v);
  EXPECT_EQ(std::vector<int>(v.begin(), v.end()), (std::vector<int>{9, 18, 27, 36, 15, 15}));
}
TEST(CoherenceManagedArray, MoveToDeviceAgainMovesNothing) {
  Context context(options(1));
  Vector<int> v(context, "v", {1, 2, 3, 4});
  for (int i = 0; i < 3; ++i) (void)v.read(on_device(0));
  EXPECT_EQ(v.statistics().to_devices(), 4 * item);
  EXPECT_EQ(v.statistics().hits, 2U);
}

/// Of Celerity: instruction_graph_memory_tests.
TEST(CoherenceRegions, EmptyRangesTriggerNothing) {
  Context context(options(1));
  Vector<int> v(context, "v", 4);
  (void)v.read(on_device(0), 2, 2);
  map(all_devices, "haloheap::test::triple", v.slice(1, 1), Triple{}, v.slice(1, 1));
  EXPECT_EQ(context.statistics().allocations.count + context.statistics().misses, 0U);
}
TEST(CoherenceRegions, UserInitializedBuffersAreCopiedLazilyAndOnlyWhatIsRead) {
  Context context(options(1));
  Vector<int> v(context, "v", 100);
  v.fill(1);
  EXPECT_EQ(context.statistics().to_devices(), 0U);
  (void)v.read(on_device(0), 10, 30);
  EXPECT_EQ(context.statistics().to_devices(), 20 * item);
}
TEST(CoherenceRegions, DataDependenciesAcrossMemoriesIntroduceCoherenceCopies) {
  Context context(options(2));
  Vector<int> v(context, "v", 10);
  (void)v.write(on_device(0));
  (void)v.read(on_device(1), 0, 5);
  EXPECT_EQ(v.statistics().between(first, second), (Amount{1, 5 * item}));
}
// Overlapping accessors: one allocation of their bounding box. Here it is taken by who asks for it.
TEST(CoherenceRegions, OverlappingAccessesShareTheirBoundingBox) {
  Context context(options(1));
  Vector<int> v(context, "v", 10);
  v.fill(1);
  v.reserve(on_device(0));
  (void)v.read(on_device(0), 0, 6);
  (void)v.read(on_device(0), 4, 10);
  EXPECT_EQ(v.statistics().allocations, (Amount{1, 10 * item}));
  EXPECT_EQ(v.statistics().to_devices(), 10 * item) << "what lies in both goes up once";
  EXPECT_EQ(v.statistics().within_devices(), 0U);
}
// One copy per reader set.
TEST(CoherenceRegions, OneCopyForEachReader) {
  Context context(options(3));
  Vector<int> v(context, "v", 10);
  (void)v.write(on_device(0));
  (void)v.read(on_device(1), 0, 5);
  (void)v.read(on_device(2));
  EXPECT_EQ(v.statistics().between(first, second), (Amount{1, 5 * item}));
  std::uint64_t to_third = 0;
  for (const Memory from : {first, second})
    to_third += v.statistics().between(from, memory_of_device(2)).bytes;
  EXPECT_EQ(to_third, 10 * item);
  EXPECT_EQ(v.statistics().to_host(), 0U);
}
// Resize for discard-write preserves only what is not overwritten.
TEST(CoherenceRegions, AWriteOfMorePreservesWhatItDoesNotOverwrite) {
  Context context(options(1));
  Vector<int> v(context, "v", {1, 2, 3, 4, 5});
  map(all_devices, "haloheap::test::triple", v.slice(0, 3), Triple{}, v.slice(0, 3));
  map_index(all_devices, "haloheap::test::negative", v.slice(1, 5), Negative{});
  EXPECT_EQ(v.statistics().over_links(), 3 * item) << "nothing is brought for what is overwritten";
  v.update_host();
  EXPECT_EQ(contents(v), (std::vector<int>{3, 0, -1, -2, -3}));
  EXPECT_EQ(v.statistics().to_host(), 5 * item);
}
// Read and discard_write are read_write.
TEST(CoherenceRegions, ReadAndThenWriteMoveWhatReadWriteMoves) {
  std::uint64_t moved[2];
  for (const bool together : {false, true}) {
    Context context(options(2));
    Vector<int> v(context, "v", 10);
    (void)v.write(on_device(0));
    if (together) {
      (void)v.read_write(on_device(1), 2, 8);
    } else {
      (void)v.read(on_device(1), 2, 8);
      (void)v.write(on_device(1), 2, 8);
    }
    v.update_host();
    EXPECT_EQ(v.statistics().between(second, host).bytes, 6 * item);
    moved[together] = context.statistics().over_links();
  }
  EXPECT_EQ(moved[0], moved[1]);
}
TEST(CoherenceRegions, CopiesAreSplitOnWriters) {
  Context context(options(3));
  Vector<int> v(context, "v", 10);
  (void)v.write(on_device(0), 0, 5);
  (void)v.write(on_device(1), 5, 10);
  (void)v.read(on_device(2));
  EXPECT_EQ(v.statistics().between(first, memory_of_device(2)), (Amount{1, 5 * item}));
  EXPECT_EQ(v.statistics().between(second, memory_of_device(2)), (Amount{1, 5 * item}));
}
TEST(CoherenceRegions, StagingThroughTheHostWithoutPeers) {
  Context context(options(2, false));
  Vector<int> v(context, "v", 10);
  (void)v.write(on_device(0));
  (void)v.read(on_device(1));
  EXPECT_EQ(v.statistics().to_host(), 10 * item);
  EXPECT_EQ(v.statistics().to_devices(), 10 * item);
  EXPECT_EQ(v.statistics().between_devices(), 0U);
}
TEST(CoherenceRegions, StagingIsDeduplicatedOnBroadcasts) {
  Context context(options(4, false));
  Vector<int> v(context, "v", 10);
  (void)v.write(on_device(0));
  for (const int device : {1, 2, 3}) (void)v.read(on_device(device));
  EXPECT_EQ(v.statistics().to_host(), 10 * item) << "once";
  EXPECT_EQ(v.statistics().to_devices(), 30 * item);
}
TEST(CoherenceRegions, StagingWritesOnlyToWhatIsStale) {
  Context context(options(2, false));
  Vector<int> v(context, "v", 10);
  (void)v.write(on_device(0));
  (void)v.read(0, 4);
  (void)v.read(on_device(1));
  EXPECT_EQ(v.statistics().to_host(), 10 * item) << "what the host has is not brought again";
}
TEST(CoherenceRegions, NarrowStridedColumnsAreOneCopy) {
  Context context(options(1));
  Matrix<int> m(context, "m", 50, 50);
  m.fill(2);
  (void)m.read(on_device(0), {0, 50, 7, 8});
  EXPECT_EQ(m.statistics().between(host, first), (Amount{1, 50 * item}));
}
TEST(CoherenceRegions, OddlyShapedCopiesMoveOnlyWhatIsMissing) {
  Context context(options(2));
  Matrix<int> m(context, "m", 6, 6);
  m.fill(0);
  (void)m.read(on_device(1));
  (void)m.write(on_device(0), {1, 3, 1, 3});
  (void)m.write(on_device(0), {2, 5, 2, 5});
  (void)m.read(on_device(1));
  EXPECT_EQ(m.statistics().between(first, second).bytes, (4 + 9 - 1) * item);
}
TEST(CoherenceRegions, AFivePointStencilExchangesNoDiagonals) {
  Context context(options(3));
  Matrix<int> in(context, "in", 30, 20), out(context, "out", 30, 20);
  in.fill(1);
  for (int step = 0; step < 3; ++step) {
    map_overlap(all_devices, "haloheap::test::cross", out, Cross{}, 1, Edge<int>{}, in);
    swap(in, out);
  }
  // Parts are rows: after the first step each border is crossed once each way, by a row.
  EXPECT_EQ(context.statistics().between_devices(), 2U * 2 * 2 * 20 * item);
}

}  // namespace
}  // namespace haloheap::coherence
