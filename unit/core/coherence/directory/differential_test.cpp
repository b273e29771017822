// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/directory.hpp>
#include <haloheap/unit/core/coherence/directory/precise_model.hpp>
#include <haloheap/unit/core/coherence/directory/random_operations.hpp>
#include <haloheap/unit/core/coherence/directory/world.hpp>

#include <gtest/gtest.h>

namespace haloheap::coherence::test {
namespace {

enum class Kind { ranges, blocks, single_elements };

/// Uses of a vector: of any range; of full, half and quarter vectors, as calls on several devices make them;
/// of a half on each device, and of single elements on the host.
std::vector<detail::Request> trace(Kind kind, ElementIndex elements, int devices, std::size_t count,
                                   unsigned seed) {
  std::mt19937 random(seed);
  std::vector<detail::Request> requests(count);
  for (detail::Request& request : requests) {
    const auto access = static_cast<Access>(below(random, 3));
    const Memory somewhere = device(static_cast<int>(below(random, devices)));
    const ElementIndex parts = kind == Kind::blocks ? ElementIndex{1} << below(random, 3) : 2;
    const ElementIndex part = below(random, parts), element = below(random, elements);
    request = {0, range(part * elements / parts, (part + 1) * elements / parts), somewhere, access};
    if (kind == Kind::ranges) request.rect = random_rect(random, 1, elements);
    if (kind == Kind::single_elements) request.memory = device(static_cast<int>(part));
    const ElementIndex on_host = kind == Kind::blocks ? 1 : 3;
    if (below(random, 10) >= on_host) continue;
    request.memory = host;
    if (kind == Kind::single_elements) request.rect = range(element, element + 1);
  }
  return requests;
}

Statistics moved_by(const char* policy, const MemoryTopology& topology, ElementIndex elements,
                    const std::vector<detail::Request>& requests) {
  detail::Directory directory(topology, policy);
  directory.add({1, elements, 1, "v", true});
  for (const detail::Request& request : requests) directory.finish(directory.acquire(request));
  return directory.statistics();
}

class CoherenceDifferential : public testing::TestWithParam<std::tuple<Kind, Peers>> {
 protected:
  Kind kind() const { return std::get<0>(GetParam()); }
  Setting setting() const { return {"region", std::get<1>(GetParam()), 3, 1, 64, 1, unlimited, false, 0}; }
};

TEST_P(CoherenceDifferential, RegionMovesOverLinksWhatAnElementPreciseDirectoryMoves) {
  const MemoryTopology topology = topology_of(setting());
  for (unsigned seed = 0; seed < 6; ++seed) {
    const auto requests = trace(kind(), 64, 3, 500, seed);
    PreciseModel model(topology, 64);
    for (const detail::Request& request : requests) model.use(request.memory, request.access, request.rect);
    EXPECT_EQ(moved_by("region", topology, 64, requests).over_links(), model.moved()) << "seed " << seed;
  }
}

TEST_P(CoherenceDifferential, RegionNeverMovesMoreThanPaper) {
  const MemoryTopology topology = topology_of(setting());
  for (unsigned seed = 0; seed < 6; ++seed) {
    const auto requests = trace(kind(), 64, 3, 500, seed);
    const Statistics region = moved_by("region", topology, 64, requests);
    const Statistics paper = moved_by("paper", topology, 64, requests);
    EXPECT_LE(region.over_links(), paper.over_links()) << "seed " << seed;
    EXPECT_LE(region.over_links() + region.within_devices(), paper.over_links() + paper.within_devices())
        << "seed " << seed;
  }
}

/// Copies that are forgotten when they are in pieces are such as the policy `paper` brings again, too.
TEST_P(CoherenceDifferential, SimplerRegionsNeverMoveMoreThanPaperEither) {
  for (const std::size_t pieces : {1U, 2U, 5U}) {
    Setting simple = setting();
    simple.max_pieces = pieces;
    const MemoryTopology topology = topology_of(simple);
    for (unsigned seed = 0; seed < 20; ++seed) {
      const auto requests = trace(kind(), 64, 3, 500, seed);
      const Statistics region = moved_by("region", topology, 64, requests);
      const Statistics paper = moved_by("paper", topology, 64, requests);
      EXPECT_LE(region.over_links(), paper.over_links()) << "seed " << seed << ", " << pieces << " pieces";
    }
  }
}

TEST_P(CoherenceDifferential, AllPoliciesShowTheSame) {
  const auto requests = trace(kind(), 16, 3, 200, 1);
  Setting small = setting();
  small.columns = 16;
  std::vector<Versions> outcomes;
  for (const std::string& policy : policies().names()) {
    small.policy = policy;
    World world(small);  // which compares each use with what the program's order says
    for (const detail::Request& request : requests) world.use(request.memory, request.access, request.rect);
    world.update_host();
    outcomes.push_back(world.memories().at(world.directory().state().object(0).main)->now);
    EXPECT_TRUE(equal(outcomes.front(), outcomes.back(), range(0, 16))) << policy;
  }
}

INSTANTIATE_TEST_SUITE_P(All, CoherenceDifferential,
                         testing::Combine(testing::Values(Kind::ranges, Kind::blocks, Kind::single_elements),
                                          testing::Values(Peers::none, Peers::all, Peers::one_way,
                                                          Peers::ring)));

/// A copy of the whole, of which halves are used; the host writes into one of them. Where the device only
/// reads, the policy `paper` moves just as little.
TEST(CoherencePieces, OnlyTheHalfThatTheHostWritesIntoIsBroughtAgain) {
  MemoryTopology topology(1, true);
  topology.max_pieces = 3;
  const Rect halves[] = {range(0, 32), range(32, 64)};
  for (const Access access : {Access::read, Access::read_write}) {
    std::vector<detail::Request> requests{{0, range(0, 64), device(0), Access::read}};
    for (int round = 0; round < 5; ++round) {
      for (const Rect& half : halves) requests.push_back({0, half, device(0), access});
      for (ElementIndex i = 1; i < 32; i += 4) requests.push_back({0, range(i, i + 1), host, Access::write});
    }
    const Statistics region = moved_by("region", topology, 64, requests);
    const Statistics paper = moved_by("paper", topology, 64, requests);
    EXPECT_EQ(region.to_devices(), 64U + 4 * 32);
    EXPECT_LE(region.to_devices(), paper.to_devices());
    // After the third write, all of that half but the three.
    EXPECT_EQ(region.to_host(), writes(access) ? 5 * 29U : 0U);
    EXPECT_LE(region.to_host(), paper.to_host());
  }
}

/// Flags of whole copies make a write of one element on the host invalidate halves on devices (ratio.py: 23).
TEST(CoherencePrecision, PaperMovesManyTimesMoreForSingleElements) {
  const MemoryTopology topology(3, true);
  const auto requests = trace(Kind::single_elements, 64, 3, 1500, 3);
  const Statistics region = moved_by("region", topology, 64, requests);
  const Statistics paper = moved_by("paper", topology, 64, requests);
  EXPECT_GT(paper.over_links(), 10 * region.over_links());
  RecordProperty("ratio", static_cast<int>(paper.over_links() / region.over_links()));
}

}  // namespace
}  // namespace haloheap::coherence::test
