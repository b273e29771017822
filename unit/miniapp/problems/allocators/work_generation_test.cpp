// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/problems/allocators/work_generation_kernels.hpp>
#include <haloheap/miniapp/problems/allocators/work_pieces.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

namespace haloheap {
namespace {

WorkSettings work_settings(const std::string& text) {
  return read_work_generation(
      deck::load_text(app_schema(), "problem = 'work_generation'\n" + text, "a.toml").point(0));
}

std::string work_cause(const std::string& text) {
  try {
    work_settings(text);
  } catch (const UsageError& error) {
    const std::string all = error.what();
    return all.substr(0, all.find('\n'));
  }
  return "";
}

WorkRuns run_work(const std::string& text) {
  const auto memory = memory::make_memory_resource("device");
  return run_work_generation(work_settings(text), {{}, memory, memory}, [](int) {});
}

TEST(WorkPieces, EveryElementIsLookedAt) {
  std::array<std::uint32_t, 9> piece{};
  work_pieces::write(piece.data(), 5, 9);
  EXPECT_TRUE(work_pieces::is_right(piece.data(), 5, 9));
  EXPECT_FALSE(work_pieces::is_right(piece.data(), 6, 9)) << "the piece of another thread";
  EXPECT_FALSE(work_pieces::is_right(piece.data() + 1, 5, 8)) << "a piece that moved";
  for (std::uint32_t& element : piece) {
    element ^= 0x80000000U;
    EXPECT_FALSE(work_pieces::is_right(piece.data(), 5, 9));
    element ^= 0x80000000U;
  }
  EXPECT_TRUE(work_pieces::is_right(piece.data(), 5, 9));
}

TEST(WorkPieces, AreAligned) {
  std::array<std::uint32_t, 2> words{};
  const auto* const odd =
      reinterpret_cast<const std::uint32_t*>(reinterpret_cast<const char*>(words.data()) + 2);
  EXPECT_FALSE(work_pieces::is_right(odd, 0, 0));
  EXPECT_TRUE(work_pieces::is_right(words.data(), 0, 0));
}

TEST(WorkGeneration, EveryHeapKeepsPiecesOfAnySize) {
  for (const std::string& heap : lane_allocators())
    for (const int threads : {1, 33, 1000}) {
      const WorkRuns runs = run_work(fmt::format(
          "allocator = {{name = '{}', pool = 0.00390625}}\nwork = {{threads = {}, largest = 200}}\nrun = "
          "{{repetitions = 2, warmup = 1}}",
          heap, threads));
      EXPECT_EQ(runs.wrong, 0U) << heap << ", " << threads;
      EXPECT_EQ(runs.pieces, 6U * static_cast<unsigned>(threads))
          << "three runs, each with and without a heap";
      EXPECT_EQ(runs.times.size(), 2U);
      if (runs.in_use) {
        EXPECT_GE(*runs.in_use, runs.bytes) << heap;
      }
    }
}

TEST(WorkGeneration, PiecesThatAreAlikeHaveTheirBytes) {
  for (const std::string heap : {"slab_walk", "bump"}) {
    const WorkRuns runs =
        run_work("allocator = {name = '" + heap +
                 "', pool = 0.00390625}\nwork = {threads = 77, smallest = 48, largest = 48}\n"
                 "run = {repetitions = 2, warmup = 1}");
    EXPECT_EQ(runs.bytes, 77U * 48) << heap;
    EXPECT_EQ(runs.wrong, 0U) << heap;
    EXPECT_EQ(runs.in_use, 77U * 48) << heap << ": those of earlier runs are given back";
  }
}

TEST(WorkGeneration, SizesBetweenTheEndsAreAsFrequent) {
  const WorkRuns runs = run_work(
      "allocator = {name = 'slab_walk', pool = 0.00390625}\nwork = {threads = 20000, smallest = 4, largest = "
      "64}");
  EXPECT_NEAR(static_cast<double>(runs.bytes) / 20000, 34, 0.5) << "the mean of 4 and 64";
}

TEST(WorkGeneration, AHeapThatIsTooSmallIsSaidSo) {
  for (const std::string heap : {"slab_walk", "bump", "virtual_queues", "warp_header"}) {
    try {
      run_work(
          fmt::format("allocator = {{name = '{}', pool = 0.00390625}}\n"
                      "work = {{threads = 5000, smallest = 4096, largest = 4096}}",
                      heap));
      ADD_FAILURE() << heap;
    } catch (const OutOfMemory& error) {
      EXPECT_NE(std::string(error.what()).find(fmt::format("of 5000 threads got no piece from '{}'", heap)),
                std::string::npos)
          << error.what();
      EXPECT_EQ(error.bytes(), 4096U);
    }
  }
}

TEST(WorkGeneration, WhatCannotBeIsRefused) {
  EXPECT_NE(work_cause("work.largest = 30").find("a piece of 30 bytes has no whole number of elements"),
            std::string::npos);
  EXPECT_NE(
      work_cause("work = {smallest = 16, largest = 8}").find("8 bytes are less than work.smallest = 16"),
      std::string::npos);
  EXPECT_NE(work_cause("allocator.name = 'random_walk'\nwork.largest = 512")
                .find("'random_walk' serves no more than 256 bytes a request, not 512"),
            std::string::npos);
  EXPECT_NE(work_cause("allocator.name = 'block_header'").find("here each thread asks for itself"),
            std::string::npos);
}

}  // namespace
}  // namespace haloheap
