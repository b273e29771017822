// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/allocator_list.hpp>
#include <haloheap/allocators/arena.hpp>
#include <haloheap/allocators/arena_list.hpp>
#include <haloheap/allocators/choose_allocator.hpp>
#include <haloheap/core/backend/ipc.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <thread>

namespace haloheap::allocators {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
constexpr std::size_t mib = std::size_t{1} << 20;

memory::ResourceEntry info_of(const std::string& name) {
  add_arenas();
  for (const memory::ResourceEntry& info : memory::memory_resources())
    if (info.name == name) return info;
  throw InternalError("no resource " + name);
}

template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

class Arenas : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const memory::ResourceEntry info = info_of(GetParam());
    if (!info.available()) GTEST_SKIP() << info.unavailable_reason();
    resource_ = memory::make_memory_resource(GetParam(), {.pool_bytes = 64 * mib});
  }
  bool serves(std::size_t bytes) const {
    const std::string names =
        ", " + arenas_that_serve(bytes + 240, {.bytes = 64 * mib, .page_bytes = 65536}) + ",";
    return names.find(", " + GetParam() + ",") != std::string::npos;
  }
  /// Of a few sizes those that it can serve.
  std::vector<std::size_t> sizes() const {
    std::vector<std::size_t> result;
    for (const std::size_t bytes : {0, 1, 16, 100, 1000, 5000, 100'000, 1'000'000})
      if (serves(bytes)) result.push_back(bytes);
    return result;
  }

  std::shared_ptr<memory::MemoryResource> resource_;
};

std::uintptr_t address(const memory::Allocation& block) {
  return reinterpret_cast<std::uintptr_t>(block.data);
}

TEST_P(Arenas, AreInTheListOfMemories) {
  EXPECT_EQ(resource_->name(), GetParam());
  EXPECT_TRUE(info_of(GetParam()).pooled);
  EXPECT_NE(info_of(GetParam()).help.find("arena of an in-kernel allocator: "), std::string::npos);
  EXPECT_TRUE(resource_->properties().device_accessible);
  EXPECT_FALSE(sizes().empty());
}

TEST_P(Arenas, AlignAsTheyAreAsked) {
  for (std::size_t alignment = 1; alignment <= backend::default_alignment; alignment *= 2) {
    std::vector<memory::Allocation> blocks;
    for (const std::size_t bytes : sizes())
      blocks.push_back(resource_->allocate(bytes, alignment, "aligned"));
    for (const memory::Allocation& block : blocks) EXPECT_EQ(address(block) % alignment, 0U);
    std::sort(blocks.begin(), blocks.end(), [](auto& a, auto& b) { return a.data < b.data; });
    for (std::size_t i = 1; i < blocks.size(); ++i)
      EXPECT_LT(address(blocks[i - 1]) + std::max<std::size_t>(blocks[i - 1].bytes, 1),
                address(blocks[i]) + 1);
    for (const memory::Allocation& block : blocks) resource_->deallocate(block);
  }
  EXPECT_EQ(
      error_of([&] { resource_->allocate(1, 512, "odd"); }),
      "memory resource '" + GetParam() +
          "' cannot align 'odd' to 512 bytes\n  consequence: nothing was allocated\n  remedy: ask for a "
          "power of two from 1 to 256 bytes");
}

struct Halves {
  memory::Array<double>::KernelView view;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) = 0.5 * i; }
};

TEST_P(Arenas, ServeViewsAsTheDeviceDoes) {
  const std::size_t elements = sizes().back() / sizeof(double);
  ASSERT_GE(elements, 100U);
  const memory::Array<double> array(resource_, "array", elements);
  const auto host = memory::make_array<double>(memory::make_memory_resource("pageable"), "host", elements);
  const Exec exec;
  Kokkos::parallel_for("haloheap::test::fill", Kokkos::RangePolicy<Exec>(exec, 0, static_cast<int>(elements)),
                       Halves{array.view()});
  memory::deep_copy(exec, host, array);
  exec.fence();
  for (std::size_t i = 0; i < elements; ++i) ASSERT_EQ(host.data()[i], 0.5 * static_cast<double>(i));
}

TEST_P(Arenas, ServeSeveralThreadsAndLoseNothing) {
  const std::size_t bytes = sizes().back();
  for (int round = 0; round < 3; ++round) {  // of which the pool could not serve all at once
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 20; ++i) {
          const memory::Allocation one = resource_->allocate(bytes), two = resource_->allocate(1);
          resource_->deallocate(one);
          resource_->deallocate(two);
        }
      });
    for (std::thread& thread : threads) thread.join();
  }
}

TEST_P(Arenas, SayWhatIsFreeWhenTheyAreFull) {
  for (const std::size_t bytes : {64 * mib + 1, SIZE_MAX / 2, SIZE_MAX}) {
    const std::string said = error_of([&] { resource_->allocate(bytes, 256, "absurd"); });
    EXPECT_EQ(said.find("out of " + GetParam() + " memory: 'absurd' needs " + std::to_string(bytes) +
                        " bytes, the heap 'haloheap::arena' has "),
              0U)
        << said;
    EXPECT_NE(said.find(" free of "), std::string::npos) << said;
    EXPECT_NE(said.find("remedy: use a larger pool, a smaller problem, or another memory resource"),
              std::string::npos);
  }
}

TEST_P(Arenas, NameTheLargestRequestAndWhoServesMore) {
  if (serves(64 * mib - 4096)) GTEST_SKIP() << "serves all that fits";
  const std::string said = error_of([&] { resource_->allocate(40 * mib, 256, "large"); });
  EXPECT_EQ(
      said.find(GetParam() + " cannot serve 'large' of 41943040 bytes: of the heap 'haloheap::arena' of "
                             "67108864 bytes one request can have "),
      0U)
      << said;
  EXPECT_NE(said.find(" at most\n  consequence: the block was not allocated\n  remedy: use one of: bump, "),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("slab_walk"), std::string::npos);
  EXPECT_NO_THROW(resource_->deallocate(resource_->allocate(16, 16, "small")));
}

TEST_P(Arenas, HandlesOfBlocksReachOtherProcesses) {
  const memory::Allocation block = resource_->allocate(16, 16, "shared");
  if (resource_->properties().ipc_exportable) {
    const backend::IpcMapping mapping(backend::export_memory(block.data));
    EXPECT_EQ(mapping.data(), block.data);
  } else {
    EXPECT_THROW(backend::export_memory(block.data), CapabilityError);
  }
  resource_->deallocate(block);
}

INSTANTIATE_TEST_SUITE_P(List, Arenas, ::testing::ValuesIn(allocators_of<DeviceAllocators>().names()),
                         [](const auto& it) { return it.param; });

TEST(ArenaList, IsAddedOnce) {
  add_arenas();
  const std::size_t count = memory::memory_resources().size();
  add_arenas();
  EXPECT_EQ(memory::memory_resources().size(), count);
  EXPECT_EQ(error_of([] {
              memory::add_memory_resources({{"slab_walk", "", nullptr, nullptr}});
            }),
            "there is a memory resource 'slab_walk' already\n  consequence: it was not added\n  "
            "remedy: give it another name, and add it once");
  EXPECT_EQ(memory::memory_resources().size(), count);
}

TEST(ArenaList, KnowsWhoServesWhat) {
  const HeapConfig config{.bytes = 64 * mib};
  EXPECT_EQ(arenas_that_serve(65 * mib, config), "");
  EXPECT_EQ(arenas_that_serve(60 * mib, config), "bump, warp_table, warp_header, slab_walk");
}

TEST(ArenaOf, GivesWhatWasFreedAgain) {
  ArenaOf<SlabWalk> arena({.bytes = 64 * mib});
  for (int round = 0; round < 5; ++round) {
    const memory::Allocation block = arena.allocate(40 * mib);
    EXPECT_THROW(arena.allocate(40 * mib), OutOfMemory);
    arena.deallocate(block);
  }
  EXPECT_EQ(arena.heap().statistics(HeapConfig::Exec()).in_use, 0U);
}

TEST(ArenaOf, WhatFreesNothingStartsAnewWhenAllIsBack) {
  ArenaOf<Bump> arena({.bytes = 64 * mib});
  for (int round = 0; round < 5; ++round) {
    const memory::Allocation one = arena.allocate(20 * mib), two = arena.allocate(20 * mib);
    arena.deallocate(one);
    EXPECT_THROW(arena.allocate(30 * mib), OutOfMemory);
    arena.deallocate(two);
  }
}

TEST(ArenaOf, StandsInAnyMemoryOfKernels) {
  ArenaOf<SlabWalk> arena({.bytes = mib, .memory = memory::make_memory_resource("pinned")});
  EXPECT_TRUE(arena.properties().host_accessible);
  const memory::Allocation block = arena.allocate(100);
  static_cast<unsigned char*>(block.data)[99] = 7;
  arena.deallocate(block);
}

}  // namespace
}  // namespace haloheap::allocators
