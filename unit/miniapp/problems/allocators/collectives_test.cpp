// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/residency.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/problems/allocators/collectives.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace haloheap {
namespace {

deck::Deck deck_of(const std::string& text) {
  return deck::load_text(app_schema(), "problem = 'collectives'\n" + text, "a.toml").point(0);
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Collectives, BlocksThatAreNotResidentTogetherAreRefused) {
  EXPECT_EQ((backend::Residency{132, 1024}.blocks_of(512)), 264);
  EXPECT_EQ((backend::Residency{132, 1024}.blocks_of(1000)), 132);
  EXPECT_EQ((backend::Residency{4, 1}.blocks_of(2)), 2) << "four threads of a host";
  EXPECT_EQ((backend::Residency{4, 1}.blocks_of(5)), 0);
  const deck::Deck deck = deck_of("collectives = {blocks = 30, threads = 512}");
  EXPECT_EQ(refusal([&] { require_resident(deck, 30); }), "");
  const std::string text = refusal([&] { require_resident(deck, 29); });
  EXPECT_NE(text.find("all 30 blocks of 512 must run at once, and here no more than 29 do"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("use 29 blocks or fewer"), std::string::npos) << text;
}

TEST(Collectives, BuffersThatCannotBeServedAreRefused) {
  const auto text = [](const std::string& more) {
    return refusal(
        [&] { read_collectives(deck_of("collectives = {blocks = 8, threads = 32, doubles = 4}\n" + more)); });
  };
  EXPECT_NE(text("allocator = {name = 'random_walk', page = 4096}")
                .find("a rank's buffer of 8192 bytes is more than"),
            std::string::npos);
  EXPECT_EQ(text("allocator = {name = 'random_walk', page = 8192}"), "");
  EXPECT_EQ(text("allocator.name = 'warp_header_over_native'"), "");
  EXPECT_EQ(text("allocator.name = 'block_header'"), "");
}

TEST(Collectives, RequestsAreCounted) {
  const auto requests = [](const std::string& more) {
    return read_collectives(deck_of("collectives = {blocks = 8, threads = 32, doubles = 4, " + more + "}"))
        .requests();
  };
  EXPECT_EQ(requests("operation = 'alltoall'"), 3U * 256);
  EXPECT_EQ(requests("operation = 'alltoall', method = 'point_to_point'"), 2U * 256 + 256 * 255);
  EXPECT_EQ(requests("operation = 'reduce'"), 4U * 256);
  EXPECT_EQ(requests("operation = 'broadcast', method = 'point_to_point'"), 2U * 256 + 2 * 255);
}

}  // namespace
}  // namespace haloheap
