// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/arena_list.hpp>
#include <haloheap/miniapp/run_memory.hpp>
#include <haloheap/unit/miniapp/deck/helpers.hpp>

#include <gtest/gtest.h>

namespace haloheap {
namespace {

using deck::test::caught;

deck::Deck deck_of(const std::string& fields) {
  deck::Schema schema;
  deck::Section& memory = schema.section("memory", "Memory");
  memory.text("fields", fields).help("Memory of the fields");
  memory.real("arena", 0.001).help("Size of an arena");
  memory.real("limit", 0.0).help("Limit");
  memory.integer("fail_allocation", 0).help("The allocation that fails");
  return deck::Deck(schema);
}

deck::test::Caught failure(const deck::Deck& deck, std::size_t bytes) {
  allocators::add_arenas();
  const auto memory = RunMemory(deck).resource("memory.fields");
  return caught([&] { memory->allocate(bytes, 256, "large"); });
}

TEST(RunMemory, SaysWhichKeyMakesAnArenaLarger) {
  const auto full = failure(deck_of("slab_walk"), std::size_t{1} << 30);
  EXPECT_EQ(
      full.text.find("default: memory.arena: out of slab_walk memory: 'large' needs 1073741824 bytes, "), 0U)
      << full.text;
  EXPECT_EQ(full.exit_code, 4);
}

TEST(RunMemory, SaysWhichKeyChoseAnArenaThatCannotServe) {
  const auto refused = failure(deck_of("random_walk"), 100'000);
  EXPECT_EQ(refused.text.find("default: memory.fields: random_walk cannot serve 'large' of 100000 bytes"), 0U)
      << refused.text;
  EXPECT_EQ(refused.exit_code, 3);
}

TEST(RunMemory, LeavesTheErrorsOfOtherMemoryAsTheyAre) {
  const auto limited = failure(deck_of("pageable").with({{"memory.limit", 1e-6}}), 5000);
  EXPECT_EQ(limited.text.find("out of pageable memory: 'large' needs 5000 bytes, "), 0U) << limited.text;
  const auto arena = failure(deck_of("slab_walk").with({{"memory.limit", 1e-6}}), 5000);
  EXPECT_EQ(arena.text.find("out of slab_walk memory: 'large' needs 5000 bytes, "), 0U) << arena.text;
}

}  // namespace
}  // namespace haloheap
